import assert from "node:assert/strict";
import { test } from "node:test";
import { plotFile } from "../src/panels/plot-file";
import { linearTicks, logTicks, markPath, plotOf } from "../src/panels/plots";
import { csv, runsOf, takePoint, valuesOf } from "../src/panels/points";
import type { Point } from "../src/panels/points";

const point = (K: number, method: string, states: number, more: Partial<Point> = {}): Point => ({
  define: { K },
  method,
  property: "P",
  verdict: "holds",
  states,
  time: states / 1e6,
  ...more,
});
const asked = { x: "K", y: "states", logX: false, logY: true, width: 400, height: 300 } as const;

test("values are a number, a list or a range", () => {
  assert.deepEqual(valuesOf("2..5"), [2, 3, 4, 5]);
  assert.deepEqual(valuesOf(" -1 .. 1 "), [-1, 0, 1]);
  assert.deepEqual(valuesOf("1, 2,2, 8"), [1, 2, 8]);
  assert.deepEqual(valuesOf("7"), [7]);
  for (const wrong of ["", "a", "5..2", "1..", "1,,2", "0..5000", "1.5"]) assert.equal(valuesOf(wrong), undefined, wrong);
  assert.equal(runsOf([[1, 2], [1, 2, 3]], 2), 12);
  assert.equal(runsOf([], 2), 2);
});

test("what is told of points becomes points, lost ones too, and memory comes at the end of a run", () => {
  const at = { define: { K: 2 }, method: "asym" };
  let points = takePoint([], { event: "verdict", point: at, kind: "safety", property: "P", verdict: "holds", max_states: 9, time_s: 0.5, assumptions: [{ states: 3 }, { states: 4 }], conjectures: 2, queries: 7 });
  points = takePoint(points, { event: "verdict", point: at, kind: "deadlock", verdict: "unknown", why: "time", max_states: 1, time_s: 1, conjectures: 0 });
  points = takePoint(points, { event: "point", point: at, peak_bytes: 100 });
  points = takePoint(points, { event: "lost", point: { define: { K: 3 }, method: "asym" }, signal: "SIGKILL" });
  points = takePoint(points, { event: "start" });
  assert.equal(points.length, 3);
  assert.deepEqual(points[0], { define: { K: 2 }, method: "asym", property: "P", verdict: "holds", states: 9, time: 0.5, memory: 100, assumption: 4, conjectures: 2, queries: 7 });
  assert.equal(points[1]!.property, "deadlock");
  assert.equal(points[1]!.memory, 100);
  assert.equal(points[2]!.verdict, "lost");
  assert.equal(points[2]!.why, "ended by SIGKILL");
});

test("CSV has a column for each constant and quotes what needs it", () => {
  const text = csv([point(2, "auto", 10), { define: { K: 3, L: "x" }, method: "asym", property: 'P,"1"', verdict: "unknown" }]);
  const lines = text.trimEnd().split("\n");
  assert.equal(lines[0], "K,L,method,property,verdict,states,time,memory,assumption,conjectures,queries,why");
  assert.equal(lines[1], "2,,auto,P,holds,10,0.00001,,,,,");
  assert.equal(lines[2], '3,x,asym,"P,""1""",unknown,,,,,,,');
});

test("ticks of logarithmic axes are powers of ten, of short ones also 2 and 5 times these", () => {
  assert.deepEqual(logTicks(1, 10000), [1, 10, 100, 1000, 10000]);
  assert.deepEqual(logTicks(10, 100), [10, 20, 50, 100]);
  assert.ok(logTicks(1, 1e20).length <= 9);
});

test("ticks of linear axes are round", () => {
  assert.deepEqual(linearTicks(0, 10), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(linearTicks(0, 0.3), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(linearTicks(3, 3), [3]);
});

test("a plot has a series for each method and marks in the order of x, inside of the axes", () => {
  const plot = plotOf([point(4, "asym", 1000), point(2, "asym", 10), point(2, "auto", 77), point(3, "auto", 500)], asked)!;
  assert.deepEqual(plot.series.map((s) => s.name), ["asym", "auto"]);
  assert.deepEqual(plot.series[0]!.marks.map((m) => m.point.define.K), [2, 4]);
  for (const m of plot.series.flatMap((s) => s.marks)) {
    assert.ok(m.x >= plot.left && m.x <= plot.right);
    assert.ok(m.y >= plot.top && m.y <= plot.bottom);
  }
  assert.deepEqual(plot.xTicks.map((t) => t.label), ["2", "3", "4"]);
  assert.deepEqual(plot.yTicks.map((t) => t.label), ["10", "100", "1000"]);
  const [ten, thousand] = [plot.yTicks[0]!.at, plot.yTicks[2]!.at];
  assert.ok(Math.abs(plot.yTicks[1]!.at - (ten + thousand) / 2) < 1e-6, "a power of ten in the middle of two");
});

test("series are told apart by what differs: property, method, other constants", () => {
  const a = { ...point(2, "auto", 5), define: { K: 2, L: 1 }, property: "P" };
  const b = { ...point(2, "auto", 6), define: { K: 2, L: 2 }, property: "Q" };
  assert.deepEqual(plotOf([a, b], asked)!.series.map((s) => s.name), ["P, L=1", "Q, L=2"]);
});

test("points without the number, and 0 on a logarithmic axis, are not plotted", () => {
  assert.equal(plotOf([], asked), undefined);
  assert.equal(plotOf([point(2, "auto", 0)], asked), undefined);
  assert.equal(plotOf([point(2, "auto", 0)], { ...asked, logY: false })!.series[0]!.marks.length, 1);
  assert.equal(plotOf([point(2, "auto", 5)], { ...asked, y: "assumption" }), undefined);
  assert.equal(plotOf([point(2, "auto", 5)], { ...asked, x: "L" }), undefined);
});

test("one point alone has a place", () => {
  const plot = plotOf([point(2, "auto", 100)], { ...asked, logX: true })!;
  const mark = plot.series[0]!.marks[0]!;
  assert.ok(Number.isFinite(mark.x) && Number.isFinite(mark.y));
});

test("five marks differ, and a plot is saved as SVG without anything that a text could break", () => {
  assert.equal(new Set([0, 1, 2, 3, 4].map((s) => markPath(s, 0, 0))).size, 5);
  const plot = plotOf([point(2, "a<b>&", 100), point(3, "auto", 10, { verdict: "unknown" })], asked)!;
  const text = plotFile(plot, "K", 'states "of" it');
  assert.ok(text.includes("a&lt;b&gt;&amp;"));
  assert.ok(text.includes("&quot;of&quot;"));
  assert.ok(!text.includes("NaN"));
  assert.equal((text.match(/<path/g) ?? []).length, (text.match(/\/>/g) ?? []).length - (text.match(/<rect/g) ?? []).length);
});

test("a point whose time was over before there was a verdict is unknown, and not left out", () => {
  const at = { define: { K: 4 }, method: "auto" };
  const points = takePoint([], { event: "point", point: at, message: "unknown: stopped by time while reading SYSTEM", peak_bytes: 7 });
  assert.deepEqual(points, [{ ...at, property: "", verdict: "unknown", why: "unknown: stopped by time while reading SYSTEM" }]);
});
