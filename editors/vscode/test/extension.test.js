// The extension against a stand-in for the editor: what it registers, and what a check of a lens tells.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "surety-test-"));
const model = path.join(folder, "m.lts");
const program = path.join(folder, "surety");
const uri = { scheme: "file", fsPath: model, toString: () => `file://${model}` };
const document = { uri, languageId: "fsp", save: async () => true };
const commands = {}, told = [], contexts = [], terminals = [], informed = [];
let view;

class Items extends Map {
  add(item) { this.set(item.id, item); }
}
function item(id, label, place) {
  const children = new Items(), made = { id, label, uri: place, children };
  children.add = (child) => { child.parent = made; children.set(child.id, child); };
  return made;
}
const vscode = {
  EventEmitter: class { event() {} fire() {} },
  Range: class {},
  TestMessage: class { constructor(message) { this.message = message; } },
  TestRunProfileKind: { Run: 1 },
  TestRunRequest: class { constructor(include) { this.include = include; } },
  TreeItem: class { constructor(label, state) { Object.assign(this, { label, state }); } },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  Uri: { parse: () => uri },
  commands: {
    registerCommand: (name, action) => { commands[name] = action; },
    executeCommand: (...words) => contexts.push(words),
  },
  tests: {
    createTestController: () => ({
      items: new Items(), createRunProfile() {}, createTestItem: item,
      createTestRun: () => ({
        appendOutput() {}, end() {}, started() {},
        passed: (each) => told.push(["passed", each.id]),
        failed: (each, message) => told.push(["failed", each.id, message.message]),
        errored: (each, message) => told.push(["errored", each.id, message.message]),
      }),
    }),
  },
  window: {
    registerTreeDataProvider: (name, provider) => { view = provider; }, activeTextEditor: { document },
    showInformationMessage: (text) => { informed.push(text); },
    terminals, createTerminal: (made) => { terminals.push({ ...made, shown: 0, show() { ++this.shown; } }); return terminals.at(-1); },
  },
  workspace: {
    getConfiguration: () => ({ get: (name) => ({ path: program, options: ["--method=asym", "--define=K=3"], time: "5s" })[name] }),
    onDidOpenTextDocument() {}, onDidSaveTextDocument() {}, openTextDocument: async () => document, textDocuments: [document],
  },
};
const LanguageClient = class {
  constructor(id, name, server, client) { Object.assign(this, { server, client }); }
  async start() {
    assert.deepEqual(this.server, { command: program, args: ["lsp"] });
    assert.deepEqual(this.client.initializationOptions, { define: { K: 3 }, lenses: ["check", "draw"] });
  }
  async sendRequest() {
    const place = { line: 0, character: 0 };
    const lens = (command) => ({ range: { start: place, end: place }, command: { command, arguments: [uri.toString(), "SAFE"] } });
    return [lens("surety.check"), lens("surety.draw")];
  }
};
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);

// A program that says this, and writes down how it was called.
function says(status, out, err = "") {
  fs.writeFileSync(program, `#!/bin/sh\necho "$@" > ${folder}/words\ncat <<'X'\n${out}\nX\necho '${err}' >&2\nexit ${status}\n`);
  fs.chmodSync(program, 0o755);
}

test("the extension checks by lenses and tells verdicts", async (t) => {
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const subscriptions = [];
  await require("../extension").activate({ subscriptions });
  const declared = require("../package.json").contributes.commands.map((each) => each.command);
  assert.deepEqual(Object.keys(commands).sort(), [...declared, "surety.check"].sort());

  const violated = { kind: "safety", property: "SAFE", verdict: "violated", trace: ["a", "b"], time_s: 0 };
  says(1, JSON.stringify({ checks: [violated] }));
  await commands["surety.check"](uri.toString(), "SAFE");
  assert.deepEqual(told.pop(), ["failed", "SAFE", "SAFE is violated: a, b"]);
  assert.equal(fs.readFileSync(`${folder}/words`, "utf8").trim(), `check --json --time=5s --method=asym --define=K=3 --property=SAFE ${model}`);
  assert.deepEqual(contexts.pop(), ["setContext", "surety.hasTrace", true]);
  const [head] = view.getChildren();
  assert.equal(view.getTreeItem(head).state, 2);
  assert.deepEqual(view.getChildren(head).map((node) => view.getTreeItem(node).label), ["1  a", "2  b"]);

  says(0, JSON.stringify({ checks: [{ ...violated, verdict: "holds" }, { kind: "deadlock", verdict: "unknown", why: "time", time_s: 5 }] }));
  await commands["surety.checkAll"]();
  assert.deepEqual(told.splice(0), [["passed", "SAFE"], ["errored", "deadlock", "deadlock is unknown: time"]]);

  await commands["surety.page"]();
  await commands["surety.page"]();
  assert.equal(terminals.length, 1, "the server that runs is shown again");
  assert.deepEqual([terminals[0].shellPath, terminals[0].shellArgs, terminals[0].shown], [program, ["serve", model], 2]);
  terminals[0].exitStatus = { code: 0 };
  await commands["surety.page"]();
  assert.equal(terminals.length, 2, "one that has ended is not");

  uri.scheme = "untitled";
  await commands["surety.page"]();
  await commands["surety.check"]("untitled:m", "NOTHING");
  assert.equal(informed.length, 2, "what has no file is told of");
  uri.scheme = "file";

  says(65, "{}", "m.lts:1:1: error: expected a name");
  await commands["surety.check"](uri.toString(), "SAFE");
  assert.deepEqual(told.splice(0), [["errored", "SAFE", "m.lts:1:1: error: expected a name"]]);
});
