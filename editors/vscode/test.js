// SPDX-License-Identifier: Apache-2.0
// test.js PROGRAM FILE - the server by the protocol library that VS Code's clients are made of:
// the handshake, diagnostics of a change, a quick fix, a hover, the end. Prints "ok" or what failed.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const { pathToFileURL } = require("url");
const p = require("vscode-languageserver-protocol/node");

async function main(program, file) {
    const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise(done => server.on("exit", done));
    const c = p.createProtocolConnection(new p.StreamMessageReader(server.stdout), new p.StreamMessageWriter(server.stdin));
    const uri = pathToFileURL(file).href, text = fs.readFileSync(file, "utf8");
    let waiting, versions = [];
    c.onNotification(p.PublishDiagnosticsNotification.type, d => { versions.push(d.version); if (waiting) waiting(d); });
    c.onRequest(p.WorkDoneProgressCreateRequest.type, () => null);
    c.onRequest(p.RegistrationRequest.type, () => null);
    c.onRequest(p.ConfigurationRequest.type, x => x.items.map(() => null));
    const next = () => new Promise(done => { waiting = done; });
    c.listen();
    const { capabilities } = await c.sendRequest(p.InitializeRequest.type, {
        processId: process.pid, rootUri: null, workspaceFolders: null,
        capabilities: { textDocument: { publishDiagnostics: { versionSupport: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } },
        initializationOptions: { target: ["ascend"] },
    });
    if (!capabilities.codeActionProvider || !capabilities.hoverProvider) throw Error("capabilities");
    await c.sendNotification(p.InitializedNotification.type, {});
    const first = next();
    await c.sendNotification(p.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "python", version: 1, text } });
    const { diagnostics } = await first;
    if (!diagnostics.length) throw Error("no diagnostics");
    const d = diagnostics[0], textDocument = { uri };
    const actions = await c.sendRequest(p.CodeActionRequest.type, { textDocument, range: d.range, context: { diagnostics: [d] } });
    if (!actions.some(a => a.kind && a.kind.startsWith("quickfix"))) throw Error("no quick fix");
    const hover = await c.sendRequest(p.HoverRequest.type, { textDocument, position: d.range.start });
    if (!JSON.stringify(hover).includes(d.code)) throw Error("the hover does not name the rule");
    const second = next();
    await c.sendNotification(p.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ text: "x = 1\n" }] });
    const after = await second;
    if (after.diagnostics.length || after.version !== 2) throw Error("diagnostics of the change");
    await c.sendRequest(p.ShutdownRequest.type);
    await c.sendNotification(p.ExitNotification.type);
    const status = await ended;
    if (status !== 0) throw Error("exit status " + status);
    console.log("ok");
    process.exit(0);
}
setTimeout(() => { console.log("no answer"); process.exit(1); }, 30000);
main(process.argv[2], process.argv[3]).catch(e => { console.log(String(e)); process.exit(1); });
