// LTSA's short form, and that it can be undone.
import assert from "node:assert/strict";
import test from "node:test";
import { expand, labelLines, shorten } from "../src/draw/short";

test("a product of indices and words is written once", () => {
  assert.deepEqual(shorten(["way.1.green", "way.1.red", "way.2.green", "way.2.red"]), ["way[1..2].{green,red}"]);
});

test("words at the top stay apart, and names that end within others stay", () => {
  assert.deepEqual(shorten(["a", "b", "a.1", "a.2", "a.4"]).sort(), ["a", "a[1..2]", "a[4]", "b"]);
});

test("prefixes with the same tree share braces", () => {
  assert.deepEqual(shorten(["x.get", "x.put", "y.get", "y.put"]), ["{x,y}.{get,put}"]);
});

test("a tree that is only partly full is not said to be full", () => {
  assert.deepEqual(shorten(["p.1.1", "p.1.2", "p.2.1"]).flatMap(expand).sort(), ["p.1.1", "p.1.2", "p.2.1"]);
});

test("what is no label stands in quotes", () => {
  assert.deepEqual(shorten(["a", "q?m,1", "it's"]), ["a", "'q?m,1'", "'it''s'"]);
  assert.deepEqual(expand("'it''s'"), ["it's"]);
});

// A generator of our own, so that a failure can be repeated.
function* numbers(seed: number): Generator<number> {
  for (let x = seed; ; ) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    yield x / 2 ** 32;
  }
}

test("law: expand undoes shorten", () => {
  for (let seed = 1; seed <= 2000; ++seed) {
    const next = numbers(seed);
    const roll = (n: number): number => Math.floor(next.next().value! * n);
    const words = ["a", "b", "lock", "_x", "a1", "0", "1", "2", "3", "10", "-1", "007"];
    const actions = new Set<string>();
    for (let i = roll(14) + 1; i > 0; --i) {
      const segments = [words[roll(5)]!];
      for (let d = roll(4); d > 0; --d) segments.push(words[roll(words.length)]!);
      actions.add(roll(20) === 0 ? `odd{${roll(3)}}, '` : segments.join("."));
    }
    const short = shorten([...actions]);
    const back = short.flatMap(expand);
    assert.equal(new Set(back).size, back.length, `seed ${seed}: nothing twice in ${short.join(" ; ")}`);
    assert.deepEqual(back.sort(), [...actions].sort(), `seed ${seed}: ${short.join(" ; ")}`);
  }
});

test("labels keep to their lines and count what they leave out", () => {
  const many = Array.from({ length: 40 }, (_, i) => `action${"abcdefgh"[i % 8]}${i}`);
  const lines = labelLines(many);
  assert.equal(lines.length, 3);
  assert.match(lines[2]!, / \+\d+$/);
  const shown = lines.join(" ").match(/action/g)!.length;
  assert.equal(shown + Number(/\+(\d+)$/.exec(lines[2]!)![1]), 40);
  assert.deepEqual(labelLines(["only.1"]), ["only.1"]);
});
