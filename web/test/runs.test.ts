import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, reportText } from "../src/panels/output-text";
import { emptyRecording } from "../src/recording";
import { pack, unpack } from "../src/remember";
import { isCurrent, lookOf, nameOf, rowId, takeChecks, takeResult } from "../src/rows";
import { state } from "../src/store";
import type { Job, State } from "../src/store";
import type { CheckResult, Kind } from "../src/types";

const doc = { path: "a.lts", language: "fsp", text: "A", saved: "A", sha256: "", readOnly: false, version: 1 };
const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  command: "check",
  commandLine: "surety check a.lts",
  path: "a.lts",
  text: "A",
  state: "done",
  options: {},
  recording: emptyRecording(),
  ...more,
});
const result = (more: Partial<CheckResult> = {}): CheckResult => ({
  kind: "safety",
  property: "P",
  verdict: "holds",
  states: 1,
  transitions: 1,
  max_states: 1,
  max_transitions: 1,
  time_s: 0.1,
  ...more,
});
const fresh = (checks: { kind: Kind; name: string }[]): State => ({
  ...state,
  doc,
  jobs: {},
  rows: [],
  define: {},
  model: { id: "m", version: 1, diagnostics: [], symbols: [], lenses: [], system: { checks } as unknown as NonNullable<State["model"]>["system"] & object },
});

test("a check is asked for by its name, and by its kind if it has none", () => {
  assert.equal(nameOf({ kind: "safety", property: "P" }), "P");
  assert.equal(nameOf({ kind: "deadlock" }), "deadlock");
  assert.equal(nameOf({ kind: "error" }), "assert");
});

test("rows keep their results while their checks are there", () => {
  const s = fresh([{ kind: "safety", name: "P" }, { kind: "deadlock", name: "deadlock" }]);
  takeChecks(s);
  s.jobs = { j1: job("j1") };
  takeResult(s, result(), "j1");
  assert.equal(s.rows[0]!.result?.verdict, "holds");
  s.model = { ...s.model!, system: { checks: [{ kind: "safety", name: "Q" }, { kind: "safety", name: "P" }] } as never };
  takeChecks(s);
  assert.deepEqual(s.rows.map((r) => [r.name, r.result?.verdict]), [["Q", undefined], ["P", "holds"]]);
});

test("a report makes the rows where nothing could say before which checks there are", () => {
  const s = fresh([]);
  s.jobs = { j1: job("j1") };
  takeResult(s, result(), "j1");
  assert.deepEqual(s.rows, []);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  s.model = { id: "m", version: 1, diagnostics: [{ range, severity: 3, message: "unknown", code: "too-much" }], symbols: [], lenses: [] };
  takeChecks(s);
  takeResult(s, result(), "j1");
  takeResult(s, result({ kind: "deadlock", property: undefined }), "j1");
  assert.deepEqual(s.rows.map((r) => [r.name, r.job, r.result?.verdict]), [["P", "j1", "holds"], ["deadlock", "j1", "holds"]]);
});

test("a result is stale when text, constants or system have changed, and not when they are as they were again", () => {
  const s = fresh([{ kind: "safety", name: "P" }]);
  takeChecks(s);
  s.jobs = { j1: job("j1") };
  takeResult(s, result(), "j1");
  const look = () => lookOf(s, s.rows[0]!);
  assert.equal(look(), "holds");
  s.doc = { ...doc, text: "B", version: 2 };
  assert.equal(look(), "stale");
  s.doc = { ...doc, version: 3 };
  assert.equal(look(), "holds");
  s.define = { K: 3 };
  assert.equal(look(), "stale");
  s.define = {};
  s.system = "OTHER";
  assert.equal(look(), "stale");
  s.system = undefined;
  assert.ok(isCurrent(s, job("j2")));
  assert.ok(!isCurrent(s, job("j2", { path: "b.lts" })));
});

test("rows of a file that is opened again have the results of its last jobs", () => {
  const s = fresh([{ kind: "safety", name: "P" }]);
  s.jobs = {
    j1: job("j1", { row: rowId("safety", "P"), report: { schema: 1, checks: [result({ verdict: "violated" })] } }),
    j2: job("j2", { row: rowId("safety", "P"), report: { schema: 1, checks: [result()] } }),
    j3: job("j3", { row: rowId("safety", "P"), path: "b.lts" }),
  };
  takeChecks(s);
  assert.equal(s.rows[0]!.job, "j2");
  assert.equal(lookOf(s, s.rows[0]!), "holds");
});

test("what is kept for a reload has each text once", () => {
  const kept = [job("j1"), job("j2"), job("j3", { text: "B" })].map(({ id, command, commandLine, path, text, options }) => ({ id, command, commandLine, path, text, options }));
  const file = pack(kept);
  assert.deepEqual(file.texts, ["A", "B"]);
  assert.deepEqual(unpack(JSON.parse(JSON.stringify(file))), kept);
});

test("a report as text has verdict, trace with who takes part, and the cycle", () => {
  const text = reportText({
    schema: 1,
    verdict: "violated",
    checks: [
      result({ verdict: "violated", trace: ["a", "bb"], cycle: ["c"], participants: [["X"], ["X", "Y"], ["Y"]], starved: ["d"] }),
      result({ property: "Q", method: "asym", split: [["X"], ["Y"]], certified: true, assumptions: [{ states: 2, transitions: 3, alphabet: ["a"], fsp: "A = S0,\nS0 = STOP.\n" }] }),
      result({ kind: "deadlock", property: undefined, verdict: "unknown", why: "time" }),
    ],
    warnings: ["w"],
  });
  assert.ok(text.includes("violated: property P\n  trace        1  a   X\n               2  bb  X, Y\n  for ever     3  c   Y\n"));
  assert.ok(text.includes("method       asym, split X | Y"));
  assert.ok(text.includes("certificate  checked by the independent checker"));
  assert.ok(text.includes("unknown: deadlock\n  why          time"));
  assert.ok(text.endsWith("warning: w\n\nall: violated"));
});

test("errors have their place and hint", () => {
  const text = reportText({ schema: 1, errors: [{ severity: "error", file: "a.lts", line: 2, column: 3, message: "no", hint: "yes?" }] });
  assert.equal(text, "a.lts:2:3: error: no\n  yes?");
});

test("how a job ended is said in a word", () => {
  assert.equal(endOf(job("j", { state: "running" })), "running");
  assert.equal(endOf(job("j", { signal: "SIGSEGV" })), "ended by SIGSEGV");
  assert.equal(endOf(job("j", { report: { schema: 1, verdict: "holds" } })), "holds");
  assert.equal(endOf(job("j", { report: { schema: 1, errors: [] } })), "errors");
});
