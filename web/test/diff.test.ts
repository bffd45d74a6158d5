// The difference of two conjectures: the example of the papers, and laws that are true of all deterministic machines.
import assert from "node:assert/strict";
import test from "node:test";
import { accessWords, difference, isDeterministic, pathOf } from "../src/proof/diff";
import type { NumberStep } from "../src/proof/diff";
import type { Lts } from "../src/types";
import { random, randomMachine, reachable, renumbered, run } from "./random";

const send = 2;
const ack = 3;
const output = 4;
const third: Lts<number> = { states: 1, alphabet: [send, ack, output], steps: [[0, send, 0], [0, ack, 0]] };
const fourth: Lts<number> = {
  states: 2,
  alphabet: [send, ack, output],
  steps: [[0, send, 1], [0, ack, 0], [1, send, 0], [1, output, 0]],
};

test("the channel: a state is split, and after send there is no ack any more", () => {
  const d = difference(third, fourth);
  assert.deepEqual(d.ancestor, [0, 0]);
  assert.deepEqual(d.heir, [0]);
  assert.deepEqual(d.newStates, [1]);
  assert.deepEqual(d.newSteps, [[1, output, 0]]);
  assert.deepEqual(d.movedSteps, []);
  assert.deepEqual(d.goingSteps, [[0, ack, 0]]);
});

test("a conjecture without a state has no heirs, and all of the next one is new", () => {
  const d = difference({ states: 0, alphabet: [], steps: [] }, fourth);
  assert.deepEqual(d.newStates, [0, 1]);
  assert.equal(d.newSteps.length, 4);
  assert.deepEqual(d.goingSteps, []);
});

test("abstractions are compared by the numbers of their blocks", () => {
  const older: Lts<number> = { states: 1, alphabet: [1], steps: [[0, 1, 0]] };
  const newer: Lts<number> = { states: 2, alphabet: [1], steps: [[0, 1, 0], [0, 1, 1]] };
  assert.equal(isDeterministic(newer), false);
  const d = difference(older, newer);
  assert.deepEqual(d.newStates, [1]);
  assert.deepEqual(d.newSteps, [[0, 1, 1]]);
  assert.deepEqual(d.goingSteps, []);
});

test("the way of a word goes as far as the conjecture does", () => {
  assert.deepEqual(pathOf(fourth, [send, output, send, ack]), [[0, send, 1], [1, output, 0], [0, send, 1]]);
  assert.deepEqual(pathOf(fourth, []), []);
  const fork: Lts<number> = { states: 3, alphabet: [1, 2], steps: [[0, 1, 1], [0, 1, 2], [2, 2, 2]] };
  assert.deepEqual(pathOf(fork, [1, 2]), [[0, 1, 2], [2, 2, 2]]);
});

const cases = Array.from({ length: 3000 }, (_, i) => i);
const key = (step: NumberStep): string => step.join(" ");

test("law: nothing changes from a machine to itself, whatever its numbers", () => {
  for (const i of cases) {
    const next = random(i);
    const lts = randomMachine(next);
    const other = renumbered(lts, next);
    const d = difference(lts, other.lts);
    assert.deepEqual(d.heir, other.to, `case ${i}`);
    assert.deepEqual([d.newStates, d.newSteps, d.movedSteps, d.goingSteps], [[], [], [], []], `case ${i}`);
  }
});

test("law: the ancestor of a state is where its access word leads; one heir goes on, the one with the first word", () => {
  for (const i of cases) {
    const next = random(i + 10_000);
    const older = randomMachine(next);
    const newer = randomMachine(next);
    const d = difference(older, newer);
    const words = accessWords(newer);
    words.forEach((word, state) => {
      assert.equal(run(newer, word!), state);
      assert.equal(d.ancestor[state], run(older, word!));
    });
    const before = (a: number[], b: number[]): boolean => {
      if (a.length !== b.length) return a.length < b.length;
      const at = a.findIndex((action, j) => action !== b[j]);
      return at < 0 || a[at]! <= b[at]!;
    };
    d.heir.forEach((heir, old) => {
      const heirs = words.map((_, s) => s).filter((s) => d.ancestor[s] === old);
      assert.equal(heir === undefined, heirs.length === 0);
      for (const s of heirs) assert.ok(before(words[heir!]!, words[s]!), `case ${i}: ${heir} before ${s}`);
    });
    const going = words.map((_, s) => s).filter((s) => d.ancestor[s] === undefined || d.heir[d.ancestor[s]!] !== s);
    assert.deepEqual(d.newStates, going);
  }
});

test("law: each step is as it was, or new, or has moved; what goes is missing somewhere", () => {
  for (const i of cases) {
    const next = random(i + 20_000);
    const older = randomMachine(next);
    const newer = randomMachine(next);
    const d = difference(older, newer);
    const fresh = new Set(d.newSteps.map(key));
    const moved = new Set(d.movedSteps.map(key));
    for (const step of newer.steps!) {
      const [from, action, to] = step;
      const ancestor = d.ancestor[from];
      const led = ancestor === undefined ? undefined : older.steps!.find(([f, a]) => f === ancestor && a === action);
      assert.equal(fresh.has(key(step)), led === undefined);
      assert.equal(moved.has(key(step)), led !== undefined && led[2] !== d.ancestor[to]);
    }
    for (const [from, action] of d.goingSteps) {
      const heirs = d.ancestor.flatMap((old, s) => (old === from ? [s] : []));
      assert.ok(heirs.length === 0 || heirs.some((s) => !newer.steps!.some(([f, a]) => f === s && a === action)));
    }
  }
});

// Bounded: all words of at most `length` letters that a machine has.
function words(lts: Lts<number>, length: number): Set<string> {
  const all = new Set<string>();
  const walk = (state: number, word: string, left: number): void => {
    all.add(word);
    if (left > 0) for (const [f, a, t] of lts.steps!) if (f === state) walk(t, `${word} ${a}`, left - 1);
  };
  if (lts.states > 0) walk(0, "", length);
  return all;
}

test("law: where no step is new, has moved or goes, and no state is new, the words are the same", () => {
  let same = 0;
  for (const i of cases) {
    const next = random(i + 30_000);
    const older = randomMachine(next, 3);
    const steps = older.steps!.slice();
    if (next(3) > 0 && steps.length > 0) steps.splice(next(steps.length), 1);
    const newer = reachable({ ...older, steps });
    const d = difference(older, newer);
    const nothing = [d.newStates, d.newSteps, d.movedSteps, d.goingSteps].every((part) => part.length === 0);
    const equal = [...words(older, 6)].join() === [...words(newer, 6)].join();
    if (nothing) assert.ok(equal, `case ${i}`);
    if (equal) ++same;
  }
  assert.ok(same > 300, "the law was tried on machines that are the same");
});
