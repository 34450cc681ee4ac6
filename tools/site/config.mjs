// SPDX-License-Identifier: Apache-2.0
// config.mjs - VitePress, with what tools/site/stage.mjs has staged beside it. Fonts, search and all else come from the site itself.
import { readFileSync } from 'node:fs'

const { sidebar, version } = JSON.parse(readFileSync(new URL('./site.json', import.meta.url), 'utf8'))
const first = (groups) => groups.map((g) => ({ text: g.text, link: g.items[0].link }))
const zhSearch = {
  translations: {
    button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
    modal: {
      noResultsText: '没有结果', resetButtonTitle: '清除', displayDetails: '显示详情', backButtonTitle: '返回',
      footer: { selectText: '选择', navigateText: '切换', closeText: '关闭' },
    },
  },
}
// Chinese has no spaces: one word for each character, and Latin words as they are.
const tokenize = (text) => text.toLowerCase().match(/[\u3400-\u9fff]|[^\s\u3000-\u303f\u3400-\u9fff\uff00-\uffef.,;:()[\]{}"'`<>|=*/]+/g) ?? []

export default {
  title: 'cuda-morph',
  description: 'CUDA programs for other accelerators, source to source',
  base: process.env.SITE_BASE ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  markdown: { config: (md) => md.set({ html: false }), lineNumbers: false, languageAlias: { console: 'shellsession', env: 'ini', cuda: 'cpp' } },
  themeConfig: {
    search: { provider: 'local', options: { locales: { zh: zhSearch }, miniSearch: { options: { tokenize } } } },
    outline: { level: [2, 3] },
    externalLinkIcon: false,
    i18nRouting: false, // most pages are in English only: the switch leads to the other start
  },
  locales: {
    root: {
      label: 'English', lang: 'en',
      themeConfig: { sidebar: sidebar.en, nav: [...first(sidebar.en).slice(1, 5), { text: version, link: '/how/changes' }] },
    },
    zh: {
      label: '简体中文', lang: 'zh-CN',
      themeConfig: {
        sidebar: { '/zh/': sidebar.zh }, nav: [...first(sidebar.zh), { text: version, link: '/how/changes' }],
        outline: { level: [2, 3], label: '本页' }, docFooter: { prev: '上一页', next: '下一页' }, darkModeSwitchLabel: '深色',
        sidebarMenuLabel: '目录', returnToTopLabel: '返回顶部', langMenuLabel: '语言',
      },
    },
  },
}
