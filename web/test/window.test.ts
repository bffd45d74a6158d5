// Long tables: which rows are in the document.
import assert from "node:assert/strict";
import test from "node:test";
import { heightOf, kRow, kRows, scrollTo, windowAt } from "../src/draw/window";
import { filterOf, matching } from "../src/draw/filter";
import { random } from "./random";

test("at every place all rows that are seen are in the document, at their places, and few others", () => {
  const next = random(1);
  for (let i = 0; i < 2_000; ++i) {
    const rows = next(300_000);
    const seen = 100 + next(900);
    const top = next(Math.max(1, heightOf(rows) - seen + 1));
    const w = windowAt(rows, top, seen);
    assert.ok(w.end - w.first <= kRows && w.first >= 0 && w.end <= rows);
    assert.equal(w.above + (w.end - w.first) * kRow + w.below, heightOf(rows));
    const firstSeen = Math.min(rows, Math.floor(top / kRow));
    const endSeen = Math.min(rows, Math.ceil((top + seen) / kRow));
    assert.ok(w.first <= firstSeen && w.end >= endSeen, `${rows} rows at ${top}`);
  }
});

test("a table of a million rows is squeezed, and its last row is reached", () => {
  const rows = 1_000_000;
  const height = heightOf(rows);
  assert.ok(height < rows * kRow);
  const first = windowAt(rows, 0, 600);
  assert.equal(first.first, 0);
  const last = windowAt(rows, height - 600, 600);
  assert.equal(last.end, rows);
  assert.ok(last.above <= height - 600 && last.end - last.first <= kRows);
  for (const top of [1, 12_345, height / 2, height - 601]) {
    const w = windowAt(rows, top, 600);
    assert.ok(w.above <= top + 1 && w.above + (w.end - w.first) * kRow >= Math.min(height, top + 600) - 1);
  }
});

test("a row comes into sight with as little scrolling as can be", () => {
  assert.equal(scrollTo(1000, 5, 0, 240), 0);
  assert.equal(scrollTo(1000, 10, 0, 240), kRow);
  assert.equal(scrollTo(1000, 3, 400, 240), 3 * kRow);
});

test("a number in the filter is a state, a word a part of an action", () => {
  assert.deepEqual([filterOf(" 12 "), filterOf("get"), filterOf(" ")], [{ state: 12 }, { part: "get" }, {}]);
  const steps: [number, string, number][] = [
    [1, "get.12", 2],
    [12, "put", 3],
    [3, "get.1", 12],
  ];
  assert.equal(matching(steps, "12").length, 2);
  assert.equal(matching(steps, "get").length, 2);
  assert.equal(matching(steps, "").length, 3);
});
