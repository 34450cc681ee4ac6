// SPDX-License-Identifier: Apache-2.0
// stage.mjs - stages docs/ for VitePress: `make site`.
//
//   node tools/site/stage.mjs PROGRAM OUT       writes OUT/src; the pages then are `vitepress build OUT/src`
//
// pages.json says which file becomes which page and in what order. Links between them are rewritten, links to files that are
// no page become their path, comments go, and the command line's reference is what `PROGRAM help` prints. A page of docs/ that
// stands nowhere in the list is an error: it would be lost without a word.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const [program, out] = process.argv.slice(2)
const top = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..')
const src = path.join(path.resolve(out), 'src')
const list = JSON.parse(readFileSync(path.join(top, 'tools/site/pages.json'), 'utf8'))
rmSync(src, { recursive: true, force: true })
mkdirSync(path.join(src, '.vitepress'), { recursive: true })

const read = (file) => readFileSync(path.join(top, file), 'utf8')
const titleOf = (text) => (text.match(/^# (.*)$/m) ?? [])[1]?.replace(/`/g, '').replace(/ \([a-z0-9]+\)$/, '')

// ---- which pages there are ----

const pages = new Map() // file of the tree -> page of the site
const written = new Map() // page -> text that no file has
const sidebar = {}
const help = (...args) => execFileSync(program, ['help', ...args], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
const commands = [...help().split('\nOptions:')[0].matchAll(/^  ([a-z][a-z-]*)(?:  |$)/gm)].map((m) => m[1])
const cli = ['# The command line', '', '`cuda-morph help COMMAND` and `man cuda-morph-COMMAND` say the same.', '']
for (const c of commands) cli.push(`## ${c}`, '', '```text', help(c).trimEnd(), '```', '')
written.set('reference/cli', cli.join('\n'))

const item = (file, page, text) => (pages.set(file, page), { text, link: '/' + page.replace(/(^|\/)index$/, '$1') })
for (const [lang, groups] of Object.entries(list))
  sidebar[lang] = groups.map(([text, rows]) => {
    if (rows === 'targets')
      rows = readdirSync(path.join(top, 'docs/targets')).sort().map((f) => {
        const file = 'docs/targets/' + f
        return [file, 'targets/' + f.slice(0, -3), titleOf(read(file))]
      })
    return { text, collapsed: text !== groups[0][0] && rows.length > 6,
      items: rows.map((row) => (row === 'cli' ? { text: 'Command line', link: '/reference/cli' } : item(...row))) }
  })
for (const f of readdirSync(path.join(top, 'docs/rules')))
  if (f !== 'README.md') pages.set('docs/rules/' + f, 'rules/' + f.slice(0, -3))
const everything = readdirSync(path.join(top, 'docs'), { recursive: true }).map((f) => 'docs/' + f)
const lost = everything.filter((f) => f.endsWith('.md') && !pages.has(f))
if (lost.length) {
  console.error(`site: in no place of tools/site/pages.json: ${lost.join(', ')}`)
  process.exit(1)
}

// ---- from a file to its page ----

function link(from, page, label, target) {
  if (/^[a-z]+:/.test(target)) return `[${label}](${target})`
  const [where, anchor] = target.split('#')
  const file = where ? path.posix.normalize(path.posix.join(path.posix.dirname(from), where)) : from
  const found = pages.get(file) ?? pages.get(path.posix.join(file, 'README.md'))
  if (found) {
    const to = path.posix.relative(path.posix.dirname('/' + page), '/' + found) || path.posix.basename(found)
    return `[${label}](${to.startsWith('.') ? to : './' + to}.md${anchor ? '#' + anchor : ''})`
  }
  if (!existsSync(path.join(top, file))) throw new Error(`${from}: the link to ${target} leads nowhere`)
  const plain = label.replace(/`/g, '')
  return file.endsWith(plain) || plain.endsWith(path.posix.basename(file)) ? `\`${file}\`` : `${label} (\`${file}\`)`
}

function stage(file, page) {
  let fenced = false
  let indented = false // a block of code by its four spaces, which becomes a fenced one: it scrolls, and can be copied
  let listed = false
  const lines = []
  for (let line of read(file).split('\n')) {
    if (indented && line.trim() && !line.startsWith('    ')) {
      lines.splice(lines.findLastIndex((l) => l.trim()) + 1, 0, '```')
      indented = false
    }
    if (indented) {
      lines.push(line.slice(4))
      continue
    }
    if (!fenced && /^\S/.test(line)) listed = /^([-*+]|\d+\.) /.test(line)
    if (!fenced && !listed && line.startsWith('    ') && !lines.at(-1)?.trim()) {
      lines.push('```sh', line.slice(4))
      indented = true
      continue
    }
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced && !line.startsWith('    ')) {
      line = line.replace(/<!--.*?-->/g, '')
      // A code span that begins before a link is text.
      line = line.replace(/(`[^`]*`)|(?<!!)\[((?:[^\][`]|`[^`]*`)*)\]\(([^)\s]+)\)/g,
        (all, code, label, target) => code ?? link(file, page, label, target))
      line = line.replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt, target) => {
        const image = path.posix.join(path.posix.dirname(file), target)
        mkdirSync(path.join(src, 'public'), { recursive: true })
        cpSync(path.join(top, image), path.join(src, 'public', path.posix.basename(image)))
        return `![${alt}](/${path.posix.basename(image)})`
      })
    }
    lines.push(line)
  }
  if (indented) lines.push('```')
  return lines.join('\n')
}

// Nothing in a page is Vue's: {{ }} stays as it is.
const save = (page, text) => {
  const file = path.join(src, page + '.md')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `---\ntitle: ${JSON.stringify(titleOf(text) ?? page)}\n---\n\n::: v-pre\n\n${text}\n\n:::\n`)
}
for (const [file, page] of pages) save(page, stage(file, page))
for (const [page, text] of written) save(page, text)
const version = read('src/cudamorph.h').match(/CM_VERSION "(.*)"/)[1]
writeFileSync(path.join(src, '.vitepress/site.json'), JSON.stringify({ sidebar, version }))
for (const f of ['config.mjs', 'theme']) cpSync(path.join(top, 'tools/site', f), path.join(src, '.vitepress', f), { recursive: true })
console.log(`site: ${pages.size + written.size} pages`)
