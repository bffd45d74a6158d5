// The grammars, by the engine that VS Code has: what single words are, and that the examples leave nothing open.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.join(__dirname, "..");
const { grammars } = require("../package.json").contributes;

async function registry() {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = path.join(root, grammars.find((grammar) => grammar.scopeName === scope).path);
      return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
}
const ready = registry();

// The words of a text, each with its innermost scope without the name of the language.
async function words(language, text) {
  const grammar = await (await ready).loadGrammar(`source.${language}`);
  const out = [];
  let stack = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const word = line.slice(startIndex, endIndex).trim();
      if (word) out.push([word, scopes.length > 1 ? scopes.at(-1).replace(`.${language}`, "") : ""]);
    }
  }
  return { words: out, closed: stack.depth === 1 };
}

async function has(language, text, expected) {
  const found = (await words(language, text)).words;
  for (const [word, scope] of Object.entries(expected))
    assert.deepEqual(found.find((each) => each[0] === word), [word, scope]);
}

test("processes of FSP are told from actions", () =>
  has("fsp", "DESK[n:0..K] = (when (n > 0) pay[n] -> STOP | go -> DESK[n]).", {
    DESK: "entity.name.type", when: "keyword.control", pay: "variable.other.action", "->": "keyword.operator",
    STOP: "constant.language", 0: "constant.numeric", K: "entity.name.type",
  }));

test("declarations of FSP have names", async () => {
  await has("fsp", "property SAFE = (a -> SAFE).", { property: "keyword.other", SAFE: "entity.name.function" });
  await has("fsp", "const K = 2", { const: "keyword.other", K: "variable.other.constant" });
  await has("fsp", "minimal ||SYS = (P || Q)\\{a}.", {
    minimal: "storage.modifier", "||": "keyword.operator.parallel", SYS: "entity.name.type",
  });
  await has("fsp", "assert LIVE = []<>a", { LIVE: "entity.name.function", "[]": "keyword.operator", "<>": "keyword.operator" });
});

test("comments of FSP go over lines", async () => {
  const { words: found } = await words("fsp", "/* P = (a\n-> STOP */ Q // STOP");
  assert.deepEqual(found.filter((each) => !each[1].startsWith("comment")), [["Q", "entity.name.type"]]);
});

test("Promela has types, control, labels and names", () =>
  has("promela", "active proctype P() { byte x; end: do :: c?x -> goto end :: x++; run Q() od }\nltl safe { [] (x < 2) }", {
    active: "storage.modifier", proctype: "storage.type", P: "entity.name.function", byte: "storage.type",
    end: "entity.name.label", do: "keyword.control", "::": "keyword.operator", Q: "entity.name.function",
    safe: "entity.name.function", "[]": "keyword.operator.temporal", 2: "constant.numeric",
  }));

test("directives of Promela end with the line unless it goes on", async () => {
  const { words: found } = await words("promela", "#define N \\\n  3\nbyte x");
  assert.deepEqual(found[0], ["#define", "keyword.control.directive"]);
  assert.deepEqual(found.at(-2), ["byte", "storage.type"]);
});

test("regular expressions have events and operators", () =>
  has("qre", "property P:\nfor events {car.open, stop}\nshow no executions satisfy\n  .*; car.open; [-stop]* -- never", {
    property: "keyword.other", P: "entity.name.function", "car.open": "variable.other.action", no: "keyword.control",
    ";": "keyword.operator", "-": "keyword.operator", "-- never": "comment.line.double-dash",
  }));

test("the examples leave nothing open, and all their names are known", async () => {
  const examples = path.join(root, "../../examples");
  const languages = { ".lts": "fsp", ".pml": "promela", ".qre": "qre" };
  const files = fs.readdirSync(examples, { recursive: true }).filter((file) => path.extname(file) in languages);
  assert.ok(files.length > 20);
  for (const file of files) {
    const language = languages[path.extname(file)];
    const { words: found, closed } = await words(language, fs.readFileSync(path.join(examples, file), "utf8"));
    assert.ok(closed, file);
    if (language !== "promela")  // there, variables are plain
      assert.deepEqual(found.filter(([word, scope]) => scope === "" && /\w/.test(word)), [], file);
  }
});
