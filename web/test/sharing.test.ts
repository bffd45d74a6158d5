// The matrix of alphabets.
import assert from "node:assert/strict";
import test from "node:test";
import { filtered, sharing, shortForm } from "../src/draw/sharing";
import type { SystemOf } from "../src/types";

const system: SystemOf = {
  system: "S",
  whole: "S",
  components: [
    { name: "A", states: 2, transitions: 2 },
    { name: "B", states: 2, transitions: 2 },
  ],
  properties: [{ name: "P", states: 1, transitions: 1 }],
  actions: { "go.1": ["A", "B"], "go.2": ["A", "B"], own: ["A"], watched: ["B", "P"] },
  constants: {},
};

test("a row a action, a column a machine; properties do not count as sharing", () => {
  const of = sharing(system);
  assert.deepEqual(of.machines.map((m) => m.name), ["A", "B", "P"]);
  assert.deepEqual(of.rows.find((r) => r.action === "watched"), { action: "watched", who: [false, true, true], count: 1 });
  assert.deepEqual(filtered(of, { text: "", shared: true }).map((r) => r.action), ["go.1", "go.2"]);
  assert.deepEqual(filtered(of, { text: "o", machine: 0, shared: false }).map((r) => r.action), ["go.1", "go.2", "own"]);
  assert.deepEqual(shortForm(of, 1), ["go[1..2]", "watched"]);
});
