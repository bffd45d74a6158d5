// surety in VS Code: the language server, lenses and test items that check, counterexamples as a tree, pictures, the page.
"use strict";

const { execFile } = require("node:child_process");
const fs = require("node:fs/promises");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { modelOptions, nameOf, sentence, traceTree } = require("./answers");

const LANGUAGES = ["fsp", "promela", "ada"];
const settings = () => vscode.workspace.getConfiguration("surety");

let client;

// Runs a command of surety in the folder of the document. Resolves to its exit status and what it printed.
function run(words, document, token) {
  const abort = new AbortController();
  const cancelled = token?.onCancellationRequested(() => abort.abort());
  const options = { cwd: path.dirname(document.fsPath), signal: abort.signal, maxBuffer: 1 << 28 };
  return new Promise((resolve, reject) => {
    execFile(settings().get("path"), words, options, (error, out, told) => {
      cancelled?.dispose();
      if (error && typeof error.code !== "number") reject(error);  // it could not be started, or was cancelled
      else resolve({ status: error?.code ?? 0, out, told });
    });
  });
}

// The report of a check of everything, or of what is named.
async function check(document, names, token) {
  const words = ["check", "--json", `--time=${settings().get("time")}`, ...settings().get("options")];
  const done = await run([...words, ...names.map((name) => `--property=${name}`), document.fsPath], document, token);
  if (done.status > 2) throw new Error(done.told.trim());
  return JSON.parse(done.out);
}

// --- The counterexample.

class TraceView {
  constructor() {
    this.changed = new vscode.EventEmitter();
    this.onDidChangeTreeData = this.changed.event;
    this.nodes = [];
  }

  show(document, answer) {
    this.document = document;
    this.nodes = [{ label: sentence(answer), description: "", line: answer.place?.line, children: traceTree(answer) }];
    vscode.commands.executeCommand("setContext", "surety.hasTrace", true);
    this.changed.fire();
  }

  getChildren(node) {
    return node ? node.children : this.nodes;
  }

  getTreeItem(node) {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const open = this.nodes.includes(node) || node.label === "for ever" ? Expanded : Collapsed;
    const item = new vscode.TreeItem(node.label, node.children.length ? open : None);
    item.description = node.description;
    item.tooltip = `${node.label} ${node.description}`;
    if (node.line) {
      const selection = new vscode.Range(node.line - 1, 0, node.line - 1, 0);
      item.command = { command: "vscode.open", title: "go to the line", arguments: [this.document, { selection }] };
    }
    return item;
  }
}

// --- Test items: a file, and below it what the lenses name, and deadlock.

class Tests {
  constructor(trace) {
    this.trace = trace;
    this.controller = vscode.tests.createTestController("surety", "surety");
    this.controller.createRunProfile("Check", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
  }

  async refresh(document) {
    if (!LANGUAGES.includes(document.languageId) || document.uri.scheme !== "file") return;
    const lenses = (await client.sendRequest("textDocument/codeLens", { textDocument: { uri: document.uri.toString() } })) ?? [];
    const file = this.controller.createTestItem(document.uri.toString(), path.basename(document.uri.fsPath), document.uri);
    for (const { command, range } of lenses) {
      if (command.command !== "surety.check") continue;
      const item = this.controller.createTestItem(command.arguments[1], command.arguments[1], document.uri);
      item.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
      file.children.add(item);
    }
    if (!file.children.get("deadlock")) file.children.add(this.controller.createTestItem("deadlock", "deadlock", document.uri));
    this.controller.items.add(file);
  }

  // What is chosen, or everything.
  async run(request, token) {
    const run = this.controller.createTestRun(request);
    const chosen = request.include ?? [...this.controller.items].map(([, item]) => item);
    for (const item of chosen) {
      if (token?.isCancellationRequested) break;
      await this.one(run, item, token);
    }
    run.end();
  }

  async one(run, item, token) {
    const whole = item.parent === undefined;
    const items = whole ? [...item.children].map(([, child]) => child) : [item];
    items.forEach((each) => run.started(each));
    try {
      await vscode.workspace.textDocuments.find((each) => each.uri.toString() === item.uri.toString())?.save();
      const report = await check(item.uri, whole ? [] : [item.id], token);
      for (const answer of report.checks) this.tell(run, items.find((each) => each.id === nameOf(answer)) ?? item, answer);
    } catch (error) {
      if (!token?.isCancellationRequested) items.forEach((each) => run.errored(each, new vscode.TestMessage(error.message)));
    }
  }

  tell(run, item, answer) {
    run.appendOutput(`${sentence(answer)}\r\n`);
    const time = answer.time_s * 1000;
    if (answer.verdict === "holds") return run.passed(item, time);
    if (answer.verdict === "unknown") return run.errored(item, new vscode.TestMessage(sentence(answer)), time);
    run.failed(item, new vscode.TestMessage(`${sentence(answer)}: ${(answer.trace ?? []).join(", ")}`), time);
    this.trace.show(item.uri, answer);
  }

  // Of a lens: one name of a document.
  async named(uri, name) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    await this.refresh(document);
    const file = this.controller.items.get(document.uri.toString());
    const item = name ? file?.children.get(name) : file;
    if (!item) return vscode.window.showInformationMessage("Only what is saved can be checked: save the file first.");
    await this.run(new vscode.TestRunRequest([item]));
  }
}

// --- Pictures.

// Of a lens: what it names; else what the cursor is on.
async function draw(address, named) {
  const editor = vscode.window.activeTextEditor;
  const word = editor && !named && editor.document.getWordRangeAtPosition(editor.selection.active, /[A-Z]\w*/);
  if (!named && (!word || editor.document.languageId !== "fsp"))
    return vscode.window.showInformationMessage("Put the cursor on the name of a process or composite of an FSP file.");
  const document = named ? await vscode.workspace.openTextDocument(vscode.Uri.parse(address)) : editor.document;
  const name = named ?? document.getText(word);
  await document.save();
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "surety-"));
  try {
    const picture = path.join(folder, "picture.svg");
    const done = await run(["draw", `${document.uri.fsPath}:${name}`, "-o", picture], document.uri);
    if (done.status !== 0) throw new Error(done.told.trim());
    const panel = vscode.window.createWebviewPanel("surety.picture", name, vscode.ViewColumn.Beside);
    const svg = (await fs.readFile(picture, "utf8")).replace(/^[^]*?(?=<svg)/, "");
    panel.webview.html = `<!DOCTYPE html><body style="background: white">${svg}</body>`;
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

// --- The page: its server runs in a terminal, where it opens the browser by itself, and ends with it.

async function openPage() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.uri.scheme !== "file" || !LANGUAGES.includes(document.languageId))
    return vscode.window.showInformationMessage("Open an FSP, Promela or Ada file first.");
  await document.save();
  const file = document.uri.fsPath, name = `surety: ${path.basename(file)}`;
  const running = vscode.window.terminals.find((each) => each.name === name && each.exitStatus === undefined);
  const terminal = running ?? vscode.window.createTerminal({
    name, cwd: path.dirname(file), shellPath: settings().get("path"), shellArgs: ["serve", file],
  });
  terminal.show();
}

// --- The start and the end.

async function activate(context) {
  const server = { command: settings().get("path"), args: ["lsp"] };
  const documentSelector = LANGUAGES.map((language) => ({ language }));
  const initializationOptions = { ...modelOptions(settings().get("options")), lenses: ["check", "draw"] };
  client = new LanguageClient("surety", "surety", server, { documentSelector, initializationOptions });
  const trace = new TraceView();
  const tests = new Tests(trace);
  context.subscriptions.push(
    tests.controller,
    vscode.window.registerTreeDataProvider("surety.trace", trace),
    vscode.commands.registerCommand("surety.check", (uri, name) => tests.named(uri, name)),
    vscode.commands.registerCommand("surety.checkAll", () => {
      const document = vscode.window.activeTextEditor?.document;
      return document && LANGUAGES.includes(document.languageId) ? tests.named(document.uri.toString()) : undefined;
    }),
    vscode.commands.registerCommand("surety.draw", draw),
    vscode.commands.registerCommand("surety.page", openPage),
    vscode.commands.registerCommand("surety.restart", () => client.restart()),
  );
  await client.start();
  context.subscriptions.push(  // after those of the client, so that the server knows the document
    vscode.workspace.onDidOpenTextDocument((document) => tests.refresh(document)),
    vscode.workspace.onDidSaveTextDocument((document) => tests.refresh(document)),
  );
  await Promise.all(vscode.workspace.textDocuments.map((document) => tests.refresh(document)));
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
