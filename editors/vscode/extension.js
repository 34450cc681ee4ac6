// SPDX-License-Identifier: Apache-2.0
// extension.js - starts `cuda-morph lsp` and hands it the editor's settings. All knowledge is in
// the server; what it offers, the client library shows.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
    const all = vscode.workspace.getConfiguration("cuda-morph");
    const own = { "unsafe-fixes": all.get("unsafe-fixes") };
    if (all.get("target").length) own.target = all.get("target"); // else the configuration file's
    return own;
}

async function start() {
    const command = vscode.workspace.getConfiguration("cuda-morph").get("path");
    const languages = ["python", "cuda-cpp", "cpp", "c", "shellscript", "yaml", "dockerfile", "cmake", "toml"];
    client = new LanguageClient("cuda-morph", "cuda-morph", { command, args: ["lsp"] }, {
        documentSelector: languages.map(language => ({ scheme: "file", language })),
        initializationOptions: settings(),
        synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{cuda-morph.toml,.cuda-morph.toml,pyproject.toml}") },
    });
    try {
        await client.start();
    } catch (error) {
        vscode.window.showErrorMessage(`${command} lsp does not start: ${error.message}`);
    }
}

async function stop() {
    if (client && client.needsStop()) await client.stop();
    client = undefined;
}

async function restart() {
    await stop();
    await start();
}

function activate(context) {
    context.subscriptions.push(
        vscode.commands.registerCommand("cuda-morph.restart", restart),
        vscode.workspace.onDidChangeConfiguration(event => {
            if (event.affectsConfiguration("cuda-morph")) restart();
        }));
    return start();
}

module.exports = { activate, deactivate: stop };
