// Where the states of earlier conjectures stand: where their heirs do, and nowhere twice.
import assert from "node:assert/strict";
import test from "node:test";
import type { Point } from "../src/draw/graph";
import { difference } from "../src/proof/diff";
import { gapOf, letterOf, standing } from "../src/proof/places";
import type { Lts } from "../src/types";
import { random, randomMachine } from "./random";

const row = (n: number): Map<number, Point> => new Map(Array.from({ length: n }, (_, i) => [i, { x: 100 * i, y: 0 }]));

test("a state stands where its heir stands, by the heir's number", () => {
  const early: Lts<number> = { states: 1, alphabet: [1, 2], steps: [[0, 1, 0]] };
  const late: Lts<number> = { states: 3, alphabet: [1, 2], steps: [[0, 1, 2], [2, 2, 1], [1, 1, 1]] };
  const { places, text } = standing(early, late, row(3));
  assert.deepEqual(places.get(0), { x: 0, y: 0 });
  assert.deepEqual(text, ["0"]);
});

test("the last one stands as it was laid out", () => {
  const late: Lts<number> = { states: 2, alphabet: [1], steps: [[0, 1, 1], [1, 1, 0]] };
  assert.deepEqual([...standing(late, late, row(2)).places], [...row(2)]);
});

test("a state that the last one forbids has a letter and a free place", () => {
  const early: Lts<number> = { states: 2, alphabet: [1, 2], steps: [[0, 2, 1]] };
  const late: Lts<number> = { states: 2, alphabet: [1, 2], steps: [[0, 1, 1]] };
  const { places, text } = standing(early, late, row(2));
  assert.deepEqual(text, ["0", "a"]);
  const place = places.get(1)!;
  for (const other of row(2).values()) assert.ok(Math.hypot(place.x - other.x, place.y - other.y) > 70);
});

test("law: every state has a place, no two the same, and heirs theirs", () => {
  for (let i = 0; i < 1500; ++i) {
    const next = random(i);
    const early = randomMachine(next);
    const late = randomMachine(next);
    const all = row(late.states);
    const { places, text } = standing(early, late, all);
    assert.equal(places.size, early.states);
    assert.equal(new Set([...places.values()].map((p) => `${p.x} ${p.y}`)).size, early.states, `case ${i}`);
    assert.equal(new Set(text).size, early.states);
    difference(early, late).heir.forEach((heir, state) => {
      if (heir !== undefined) assert.deepEqual(places.get(state), all.get(heir));
    });
  }
});

test("the gap is that of most states; letters go on after z", () => {
  assert.equal(gapOf(row(5).values()), 100);
  assert.equal(gapOf([]), 90);
  assert.deepEqual([0, 25, 26, 27].map(letterOf), ["a", "z", "aa", "ab"]);
});
