// Two traces side by side.
import assert from "node:assert/strict";
import test from "node:test";
import { sideBySide } from "../src/proof/align";
import { random } from "./random";

const shared = new Set([2, 3]);

test("the channel: Input sends and Output has done nothing", () => {
  const lines = sideBySide([1, 2, 3, 1], [], shared);
  assert.deepEqual(lines.map((l) => l.ours), [1, 2, 3, 1]);
  assert.deepEqual(lines.map((l) => l.odd), [false, true, true, false]);
});

test("an action of both stands once, what only one sees on its side", () => {
  assert.deepEqual(sideBySide([1, 2, 3], [2, 4], shared), [
    { ours: 1, together: false, odd: false },
    { ours: 2, theirs: 2, together: true, odd: false },
    { ours: 3, theirs: 4, together: false, odd: true },
  ]);
});

test("law: both traces can be read from the lines, matched actions are shared, and as many as can be", () => {
  const longest = (a: number[], b: number[]): number =>
    a.length === 0 || b.length === 0
      ? 0
      : Math.max(
          a[0] === b[0] && shared.has(a[0]!) ? 1 + longest(a.slice(1), b.slice(1)) : 0,
          longest(a.slice(1), b),
          longest(a, b.slice(1)),
        );
  for (let i = 0; i < 400; ++i) {
    const next = random(i);
    const trace = (): number[] => Array.from({ length: next(6) }, () => 1 + next(4));
    const [ours, theirs] = [trace(), trace()];
    const lines = sideBySide(ours, theirs, shared);
    assert.deepEqual(lines.flatMap((l) => (l.ours === undefined ? [] : [l.ours])), ours);
    assert.deepEqual(lines.flatMap((l) => (l.theirs === undefined ? [] : [l.theirs])), theirs);
    const matched = lines.filter((l) => l.together);
    assert.ok(matched.every((l) => l.ours === l.theirs && shared.has(l.ours!)));
    assert.equal(matched.length, longest(ours, theirs), `case ${i}`);
  }
});
