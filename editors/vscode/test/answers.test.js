"use strict";

const assert = require("node:assert/strict");
const test = require("node:test");
const { modelOptions, nameOf, sentence, traceTree } = require("../answers");

test("a check has the name by which it is asked for", () => {
  assert.equal(nameOf({ kind: "safety", property: "ORDER" }), "ORDER");
  assert.equal(nameOf({ kind: "error" }), "assert");
  assert.equal(nameOf({ kind: "deadlock" }), "deadlock");
});

test("the language server reads the model that is checked", () => {
  assert.deepEqual(modelOptions(["--method=asym", "--define=K=3", "--define=N=-1", "--define=X", "--system=SYS(2)", "--cells"]),
    { define: { K: 3, N: -1 }, system: "SYS(2)", cells: true });
  assert.deepEqual(modelOptions(["--cells=500"]), { define: {}, cells: 500 });
});

test("a verdict is a sentence", () => {
  assert.equal(sentence({ kind: "deadlock", verdict: "holds" }), "deadlock holds");
  assert.equal(sentence({ kind: "safety", property: "P", verdict: "unknown", why: "stopped by time" }),
    "P is unknown: stopped by time");
});

test("a trace is a tree with participants, cycle and ends", () => {
  const [first, forever, there] = traceTree({
    trace: ["a"], cycle: ["b", "c"], participants: [["P", "Q"], ["P"], ["Q"]],
    stands: [{ process: "P", at: "P after a", is: "waiting", line: 3, can: [{ action: "d", refused_by: ["Q"] }] }],
  });
  assert.deepEqual(first, { label: "1  a", description: "P, Q", line: undefined, children: [] });
  assert.deepEqual(forever.children.map((step) => step.label), ["2  b", "3  c"]);
  assert.deepEqual(there.children[0].children[0], { label: "could d", description: "refused by Q", children: [] });
  assert.equal(there.children[0].line, 3);
});

test("a step of a program goes to its line", () => {
  const [step] = traceTree({
    trace: ["c.3"],
    steps: [{ process: "A", line: 2, statement: "c!3", with: { process: "B", line: 3, statement: "c?x" }, note: "late" }],
  });
  assert.equal(step.description, "A:2 c!3 with B:3 c?x — late");
  assert.equal(step.line, 2);
});
