// Neighbourhoods, and where the one cursor is.
import assert from "node:assert/strict";
import test from "node:test";
import { asMachine, near } from "../src/draw/near";
import { markedIn, statesAfter } from "../src/trace/now";
import type { Walk } from "../src/store";
import type { Lts } from "../src/types";
import { random } from "./random";

const chain: Lts = { states: 6, alphabet: [], steps: [0, 1, 2, 3, 4].map((i) => [i, `a${i}`, i + 1]), names: ["A", "B", "C", "D", "E", "F"] };

test("what is within so many steps, forwards or both ways, and where it goes on", () => {
  assert.deepEqual(near(chain, { state: 2, radius: 2, both: false }).states, [2, 3, 4]);
  const both = near(chain, { state: 2, radius: 1, both: true });
  assert.deepEqual([both.states, both.rim, both.of, both.names], [[1, 2, 3], [1, 3], 6, ["B", "C", "D"]]);
});

test("law: every state is within the radius, none that is nearer than another is left out, at most so many are there", () => {
  const next = random(2);
  for (let i = 0; i < 200; ++i) {
    const states = 2 + next(40);
    const steps = Array.from({ length: next(100) }, (): [number, string, number] => [next(states), "a", next(states)]);
    const [state, radius, most] = [next(states), 1 + next(4), 5 + next(20)];
    const found = near({ states, alphabet: [], steps }, { state, radius, both: false }, most);
    const distance = new Map([[state, 0]]);
    for (const [s, far] of distance) for (const [f, , t] of steps) if (f === s && !distance.has(t)) distance.set(t, far + 1);
    assert.ok(found.states.length <= most);
    const farthest = Math.max(...found.states.map((s) => distance.get(s)!));
    assert.ok(farthest <= radius);
    for (const [s, far] of distance) if (far < farthest) assert.ok(found.states.includes(s));
    for (const s of found.states) {
      const leaves = steps.some(([f, , t]) => f === s && !found.states.includes(t));
      assert.equal(found.rim!.includes(s), leaves);
    }
  }
});

test("as a machine it keeps the numbers as texts, and the initial state only if it is there", () => {
  const part = asMachine(near(chain, { state: 2, radius: 1, both: false }), 2);
  assert.deepEqual([part.text, part.at, part.open, part.lts.initial], [["2", "3"], 0, [1], -1]);
  assert.deepEqual(part.lts.steps, [[0, "a2", 1]]);
});

const walk: Walk = {
  id: "w",
  title: "w",
  origin: "animate",
  at: 2,
  moments: [
    { state: "0", moves: [], taken: "a" },
    { state: "1", moves: [], taken: "h", components: [{ name: "M", state: 4, at: "X" }] },
    { state: "2", moves: [], by: { action: "h", who: [], hidden: true }, components: [{ name: "M", state: 7, at: "Y" }] },
  ],
};

test("in the system the actions so far lead to the present states; hidden ones are silent there", () => {
  const system: Lts = { states: 4, alphabet: [], steps: [[0, "a", 1], [0, "a", 2], [1, "tau", 3], [2, "h", 0]] };
  assert.deepEqual(statesAfter(system, walk), [3]);
  assert.deepEqual(statesAfter(system, walk, 1).sort(), [1, 2]);
  assert.deepEqual(markedIn({ ...system, name: "S" }, walk, { system: "S", whole: "S", components: [], properties: [], actions: {}, constants: {} }), [3]);
  assert.deepEqual(markedIn({ ...system, name: "M" }, walk, undefined), [7]);
});
