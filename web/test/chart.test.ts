// The sequence chart: lanes, folding, the bracket of the cycle; what changes from one moment to the next.
import assert from "node:assert/strict";
import test from "node:test";
import { chartRows, inCycle, lanesOf, laneWidth, rowOfMoment, usedLanes } from "../src/trace/chart";
import { changes, stepsOf } from "../src/trace/steps";
import type { WalkStep } from "../src/trace/steps";
import { random } from "./random";
import type { Walk } from "../src/store";
import type { Moment, SystemOf } from "../src/types";

const step = (n: number, who: string[], violates: string[] = []): WalkStep => ({
  n,
  action: `a${n}`,
  who,
  violates,
  changes: [],
  statements: [],
  hidden: false,
});

test("runs of steps that touch no visible lane fold, and what is wrong never does", () => {
  const steps = [step(1, ["A"]), step(2, ["B"]), step(3, ["B"]), step(4, ["A", "B"]), step(5, ["B"], ["P"])];
  const rows = chartRows(steps, { lanes: ["A"] });
  assert.deepEqual(
    rows.map((r) => (r.kind === "fold" ? `${r.from}..${r.to}` : r.kind === "step" ? r.step.n : "start")),
    ["start", 1, "2..3", 4, 5],
  );
  const open = chartRows(steps, { lanes: ["A"], open: new Set([2]) });
  assert.deepEqual(open.map((r) => r.kind), ["start", "step", "fold", "step", "step", "step", "step"]);
});

test("law: without a projection every step is in one row, in order, and a row's dots are its step's lanes", () => {
  const next = random(3);
  for (let i = 0; i < 300; ++i) {
    const names = ["A", "B", "C", "D"];
    const steps = Array.from({ length: next(30) }, (_, k) => step(k + 1, names.filter(() => next(3) === 0)));
    const lanes = names.filter(() => next(2) === 0);
    const cycleFrom = next(2) === 0 ? next(steps.length + 1) : undefined;
    const rows = chartRows(steps, { lanes, cycleFrom });
    const told: number[] = [];
    for (const row of rows) {
      if (row.kind === "step") {
        told.push(row.step.n);
        assert.deepEqual(row.lanes.map((l) => lanes[l]), lanes.filter((l) => row.step.who.includes(l)));
      } else if (row.kind === "fold") {
        for (let n = row.from; n <= row.to; ++n) told.push(n);
        if (cycleFrom !== undefined) assert.ok(!(row.from <= cycleFrom && row.to > cycleFrom), "no fold over the cycle's begin");
      }
    }
    assert.deepEqual(told, steps.map((s) => s.n));
    for (let at = 0; at <= steps.length; ++at) {
      const row = rows[rowOfMoment(rows, at)]!;
      assert.ok(row.kind === "start" ? at === 0 : row.kind === "step" ? row.step.n === at : row.from <= at && at <= row.to);
    }
  }
});

test("a projection has the steps of one component only", () => {
  const rows = chartRows([step(1, ["A"]), step(2, ["B"]), step(3, ["A", "B"])], { lanes: ["A", "B"], only: "A" });
  assert.deepEqual(rows.flatMap((r) => (r.kind === "step" ? [r.step.n] : [])), [1, 3]);
});

test("the bracket of the cycle is around the steps that are repeated", () => {
  const rows = chartRows([1, 2, 3, 4].map((n) => step(n, ["A"])), { lanes: ["A"], cycleFrom: 2 });
  assert.deepEqual(rows.map((r) => inCycle(r, 2, 4)), ["no", "no", "no", "first", "last"]);
  assert.deepEqual(rows.map((r) => inCycle(r, 3, 4)), ["no", "no", "no", "no", "only"]);
});

test("lanes are as wide as their labels need, within bounds", () => {
  const rows = chartRows([step(1, ["A", "B"])], { lanes: ["A", "B"] });
  assert.equal(laneWidth(rows, ["A", "B"], () => 10), 56);
  assert.equal(laneWidth(rows, ["A", "B"], () => 1000), 132);
  assert.equal(laneWidth(rows, ["LONG", "B"], (t) => (t === "LONG" ? 60 : 10)), 82);
  const far = (t: string): number => (/^[A-Z(]/.test(t) ? 10 * t.length : 1000); // labels are long, names are not
  assert.equal(laneWidth(rows, ["A", "B"], far, 200), 100, "all of them are to be seen");
  assert.equal(laneWidth(rows, ["PUMP(1)", "B"], far, 20), 72, "but not at any price");
  assert.equal(laneWidth(rows, ["CUSTOMER(1)", "B"], far, 20), 98, "and no name is broken inside");
});

const system: SystemOf = {
  system: "S",
  whole: "S",
  components: [
    { name: "A", states: 2, transitions: 2 },
    { name: "IDLE", states: 1, transitions: 0 },
  ],
  properties: [
    { name: "P", states: 2, transitions: 2 },
    { name: "Q", states: 2, transitions: 2 },
  ],
  actions: { go: ["A", "P"] },
  constants: {},
};
const moments: Moment[] = [
  { state: "0,0,0", values: { A: "OFF", IDLE: "0" }, properties: { P: "0", Q: "0" }, moves: [{ action: "go", who: ["A"], to: "1,0,9" }], taken: "go" },
  { state: "1,0,9", values: { A: "ON", IDLE: "0" }, properties: { P: "violated", Q: "0" }, watch: { X: "true" }, moves: [], violates: ["P"] },
];
const walk: Walk = { id: "w", title: "P", origin: "trace", moments, at: 0, result: { kind: "safety", property: "P", verdict: "violated", states: 1, transitions: 1, max_states: 1, max_transitions: 1, time_s: 0 } };

test("a step knows who takes part, the properties that see it, what changed, and what it breaks", () => {
  const [only] = stepsOf(walk, system);
  assert.deepEqual(only!.who, ["A", "P"]);
  assert.deepEqual(only!.violates, ["P"]);
  assert.deepEqual(only!.changes, [
    { name: "A", from: "OFF", to: "ON", kind: "state" },
    { name: "P", from: "0", to: "violated", kind: "property" },
  ]);
});

test("a trace has a lane for its property, and none for the others", () => {
  const steps = stepsOf(walk, system);
  const lanes = lanesOf(walk, steps, system);
  assert.deepEqual(lanes.map((l) => l.name), ["A", "IDLE", "P"]);
  assert.deepEqual(usedLanes(lanes, steps).map((l) => l.name), ["A", "P"]);
});

test("what the language process says of changes goes before what we find", () => {
  const after: Moment = { ...moments[1]!, changed: [{ name: "A", from: "a", to: "b" }], flipped: [{ name: "X", from: "false", to: "true" }] };
  assert.deepEqual(changes(moments[0]!, after).map((c) => `${c.kind} ${c.name} ${c.from} ${c.to}`), [
    "state A a b",
    "property P 0 violated",
    "flip X false true",
  ]);
});
