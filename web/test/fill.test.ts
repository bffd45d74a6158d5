import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../src/trace/fill";
import { stepsOf } from "../src/trace/steps";
import type { Walk } from "../src/store";
import type { Moment } from "../src/types";

const brief = (state: string): Moment => ({ state }) as Moment;
const full = (state: string): Moment => ({ state, moves: [] });

test("of a long walk the pieces are asked for that are to be seen and not known yet", () => {
  const moments = Array.from({ length: 1_000 }, (_, i) => brief(String(i)));
  assert.deepEqual(missing(moments, 0, 30), [0]);
  assert.deepEqual(missing(moments, 190, 410), [0, 200, 400]);
  assert.deepEqual(missing(moments, -1, 0), [0]);
  assert.deepEqual(missing(moments, 990, 2_000), [800]);
  for (let i = 200; i < 400; ++i) moments[i] = full(String(i));
  assert.deepEqual(missing(moments, 190, 410), [0, 400]);
  assert.deepEqual(missing(moments, 200, 399), []);
});

test("a moment without a state has nothing to be told", () => {
  assert.deepEqual(missing([full("0"), brief("")], 0, 1), []);
});

test("what the report says of a step stands at that step, also behind silent steps that came by themselves", () => {
  const moments: Moment[] = [
    { state: "0", moves: [], taken: "tau" },
    { state: "1", moves: [], by: { action: "tau", who: [] }, taken: "a" },
    { state: "2", moves: [], by: { action: "a", who: [] }, step: 1, taken: "b" },
    { state: "3", moves: [], by: { action: "b", who: [] }, step: 2 },
  ];
  const steps = [
    { action: "a", process: "P", line: 3, statement: "a!" },
    { action: "b", process: "Q", line: 7, statement: "b!" },
  ];
  const result = { kind: "safety", property: "P", verdict: "violated", trace: ["a", "b"], steps, participants: [["P"], ["Q"]] };
  const walk = { id: "w", serial: 1, title: "P", origin: "trace", moments, at: 0, result } as unknown as Walk;
  assert.deepEqual(
    stepsOf(walk, undefined).map((s) => [s.action, s.statements.map((t) => t.line), s.n, s.violates]),
    [["tau", [], 1, []], ["a", [3], 2, []], ["b", [7], 3, ["P"]]],
    "and the last step is the one that breaks the property",
  );
  const half = { ...walk, moments: moments.slice(0, 3) };
  assert.deepEqual(stepsOf(half, undefined).map((s) => s.violates), [[], []], "a trace that could be followed for one step only breaks nothing there");
});
