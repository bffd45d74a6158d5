// Recordings of real runs: what the panels show agrees with the report of the same run, for every method.
//
// The program is SURETY, or the one that was built.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { barsOf, bestLane } from "../src/proof/bars";
import { answerTo, assumptionsOf, epochsOf, methodOf } from "../src/proof/epochs";
import { chainsOf, trackOf } from "../src/proof/track";
import { premise } from "../src/proof/words";
import { emptyRecording, record } from "../src/recording";
import type { CheckRun, Lane, Recording } from "../src/recording";
import type { CheckResult, Told } from "../src/types";

declare global {
  interface ImportMeta {
    readonly source: string; // the folder of the page
  }
}

const root = join(import.meta.source, "..");
const program = process.env["SURETY"] ?? ["test", "release"].map((b) => join(root, "build", b, "surety")).find(existsSync);
const need = { skip: program === undefined ? "there is no surety: build it, or say where it is by SURETY" : false };
const folder = mkdtempSync(join(tmpdir(), "surety-recording-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

interface Iteration {
  assumption: number;
  size: number;
  oracle: number;
  result: string;
  word?: string[];
}
type Result = CheckResult & { iterations: Iteration[]; queries: number };

function eventsOf(...words: string[]): Told[] {
  const file = join(folder, "run.jsonl");
  const threads = words.includes("--threads") ? [] : ["--threads", "1"];
  try {
    execFileSync(program!, [...words, ...threads, "--events", file, "--json", "--quiet"], { cwd: join(root, "examples"), stdio: "pipe" });
  } catch (e) {
    assert.ok((e as { status: number }).status <= 2, String(e)); // violated and unknown are answers
  }
  return readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as Told);
}

function recordingOf(...words: string[]): { recording: Recording; check: CheckRun; lane: Lane; report: Result; method: string } {
  const recording = emptyRecording();
  for (const e of eventsOf(...words)) record(recording, e);
  const check = recording.checks[0]!;
  const lane = bestLane(check)!;
  return { recording, check, lane, report: check.verdict as unknown as Result, method: methodOf(recording, check, lane) };
}

const rover = ["check", "rover/rover.lts", "--property", "CLEARED_FIRST"];
const channel = ["check", "channel/input.aut", "channel/output.aut", "--property", "channel/order.aut"];

test("the rover by asym: forty conjectures in eight chapters, one for each alphabet", need, () => {
  const { recording, lane, report, method } = recordingOf(...rover, "--method", "asym");
  assert.equal(method, "asym");
  assert.equal(lane.conjectures.length, 40);
  assert.deepEqual(lane.conjectures.map((c) => [c.lts.states, c.answer!.oracle, c.answer!.result]), report.iterations.map((i) => [i.size, i.oracle, i.result]));
  const epochs = epochsOf(lane, 1, false);
  assert.equal(epochs.length, 8);
  const letters = [...epochs[0]!.alphabet, ...epochs.slice(1).flatMap((e) => e.added)];
  assert.deepEqual(letters.map((a) => recording.names[a]).sort(), [...report.assumptions![0]!.alphabet].sort());
  for (const epoch of epochs.slice(1)) {
    assert.deepEqual(epoch.widened!.added, epoch.added);
    assert.ok(epoch.added.length > 0);
  }
  for (const epoch of epochs.slice(0, -1)) assert.equal(epoch.cells.at(-1)!.answer!.result, "alphabet too small");
  const track = trackOf(lane, method, recording.names);
  assert.equal(track.length, 40);
  assert.deepEqual(track.rows.flatMap((r) => r.groups.flatMap((g) => g.cells.map((c) => c.index))), lane.conjectures.map((_, i) => i));
  assert.match(track.rows[0]!.groups[1]!.head!, /^\+ (exec|check|tell|start)/);
  assert.equal(track.rows[0]!.groups.at(-1)!.cells.at(-1)!.end, "holds");
});

test("queries grow from conjecture to conjecture, to those of the report at most", need, () => {
  const { lane, report } = recordingOf(...rover, "--method", "asym");
  const queries = lane.conjectures.map((c) => c.queries ?? 0);
  for (let i = 1; i < queries.length; ++i) assert.ok(queries[i]! >= queries[i - 1]!, `conjecture ${i}`);
  assert.ok(queries.at(-1)! > 0 && queries.at(-1)! <= report.queries);
});

test("words are those of the report, by name", need, () => {
  const { recording, lane, report } = recordingOf(...channel, "--method", "asym");
  const spelt = lane.conjectures.map((c) => c.answer!.word?.map((a) => recording.names[a]));
  assert.deepEqual(spelt, report.iterations.map((i) => i.word));
});

const learning = ["asym", "asym-n", "weakest", "sym", "sym-a", "sym-b", "circular", "agar"];
const models: [string, string[]][] = [
  ["rover", rover],
  ["gas station", ["check", "gas_station/gas_station.lts", "--property", "CHANGE"]],
  ["broken gas station", ["check", "gas_station/gas_station_broken.lts", "--property", "CHANGE"]],
  ["channel", channel],
];
for (const method of learning)
  for (const [name, words] of models)
    test(`${method} on the ${name}: each step has its place, each cell its answer`, need, () => {
      const endless = method === "circular" && name === "broken gas station"; // the search for guarantees goes on for minutes
      const { recording, check, lane, report, method: known } = recordingOf(...words, "--method", method, ...(endless ? ["--time", "2s"] : []));
      assert.equal(known, report.method);
      assert.ok(lane.conjectures.length > 0);
      const track = trackOf(lane, known, recording.names);
      const cells = track.rows.flatMap((r) => r.groups.flatMap((g) => g.cells));
      assert.deepEqual(cells.map((c) => c.index).sort((a, b) => a - b), lane.conjectures.map((_, i) => i));
      for (const assumption of assumptionsOf(lane)) {
        for (const epoch of track.epochs.get(assumption)!)
          for (const c of epoch.cells) if (c.lts.states > 0) assert.deepEqual(c.lts.alphabet, epoch.alphabet);
        const mine = lane.conjectures.filter((c) => c.assumption === assumption);
        // All but the last are there because something was found: of it, of all together, or of a block of it.
        for (const c of mine.slice(0, -1)) {
          const next = mine[mine.indexOf(c) + 1]!;
          const split = lane.refined.some((r) => r.cells > c.index && r.cells <= next.index);
          const widened = lane.widened.some((w) => w.after > c.index && w.after <= next.index);
          assert.ok(answerTo(lane, c) !== undefined || split || widened, `conjecture ${c.index} of assumption ${assumption}`);
        }
      }
      // What is shown at the end is what the proof has.
      if (report.verdict === "holds" && check.verdict!.assumptions!.length === assumptionsOf(lane).length)
        check.verdict!.assumptions!.forEach((a, i) => {
          const last = lane.conjectures.findLast((c) => c.assumption === i + 1)!;
          assert.equal(last.lts.states, a.states);
          assert.deepEqual(last.lts.alphabet.map((x) => recording.names[x]).sort(), [...a.alphabet].sort());
        });
      for (const a of assumptionsOf(lane)) for (const oracle of [1, 2]) assert.ok(premise(known, a, oracle, 2).length > 5);
    });

test("circular: a guarantee that has not changed is one cell, however many rounds it stands", need, () => {
  const { lane, report } = recordingOf(...rover, "--method", "circular");
  const told = lane.conjectures.reduce((sum, c) => sum + c.times, 0);
  assert.equal(told % 8, 0); // eight guarantees a round
  assert.ok(lane.conjectures.length < told / 2);
  assert.ok(lane.answers.length > 0);
  assert.equal(lane.answers.at(-1)!.result, "holds");
  assert.ok(report.iterations.length > 0);
});

test("asym-n: an inner assumption is learned again for each new outer one", need, () => {
  const { lane } = recordingOf(...rover, "--method", "asym-n");
  const inner = epochsOf(lane, 4, true);
  assert.ok(inner.some((e) => e.again));
  for (const e of inner) if (e.again) assert.deepEqual(e.added, []);
});

test("cegar: a row for each component, blocks that grow inside of a chapter", need, () => {
  const { recording, lane, method } = recordingOf(...models[1]![1], "--method", "cegar");
  const track = trackOf(lane, method, recording.names);
  assert.equal(track.kind, "refinements");
  assert.deepEqual(new Set(track.rows.map((r) => r.name)), new Set(lane.refined.map((r) => r.component)));
  for (const row of track.rows)
    for (const group of row.groups)
      for (let i = 1; i < group.cells.length; ++i) assert.ok(Number(group.cells[i]!.text) >= Number(group.cells[i - 1]!.text));
});

test("minimise: the last chain is the proof, and its sizes are those of the report", need, () => {
  const { check, lane } = recordingOf(...models[1]![1], "--method", "minimise");
  const chains = chainsOf(lane);
  assert.equal(chains.length, 2);
  const last = chains.at(-1)!;
  assert.equal(last.links.at(-1)!.reduced, 0);
  const sides = check.verdict!.split!.map((side) => side[0]);
  assert.deepEqual(last.links.map((l) => l.component), sides.slice(0, last.links.length));
  check.verdict!.assumptions!.forEach((w, i) => assert.equal(w.lts!.states, last.links[i]!.reduced));
});

test("every size: a chain for each small size, and one for all the others", need, () => {
  const { check, lane, method } = recordingOf("check", "relay/relay.lts", "--all-sizes", "K=2..");
  assert.equal(method, "all-sizes");
  assert.deepEqual(check.sizes.map((s) => [s.value, s.result]), [2, 3, 4, 5, 6, 7, 8].map((k) => [k, "holds"]));
  const chains = chainsOf(lane);
  assert.deepEqual(chains.map((c) => c.size), [2, 3, 4, 5, 6, 7, 8, undefined]);
  assert.equal(chains.at(-1)!.links.at(-1)!.component, "TASK(4)"); // the cell that repeats
});

test("auto: the first try, then four lanes, each with what it has come to", need, () => {
  const { check, lane } = recordingOf("check", "gas_station/gas_station.lts", "--property", "MUTEX", "--define", "K=30", "--threads", "2");
  const bars = barsOf(check);
  assert.equal(bars[0]!.method, "monolithic");
  assert.ok(bars[0]!.states >= 50_000);
  assert.equal(lane.is, "answered");
  assert.ok(bars.every((b) => b.width >= 0 && b.width <= 1 && b.said !== ""));
  assert.equal(bars.filter((b) => b.is === "answered").length, 1);
});

test("a certificate that is checked again tells its premises", need, () => {
  const certificate = join(folder, "proof.json");
  execFileSync(program!, ["check", ...rover.slice(1), "--method", "asym", "--certificate", certificate, "--quiet"], { cwd: join(root, "examples"), stdio: "pipe" });
  const recording = emptyRecording();
  const events = join(folder, "certify.jsonl");
  execFileSync(program!, ["certify", certificate, "--events", events], { cwd: join(root, "examples"), stdio: "pipe" });
  for (const line of readFileSync(events, "utf8").trimEnd().split("\n")) record(recording, JSON.parse(line) as Told);
  assert.deepEqual(recording.checks.flatMap((c) => c.premises).map((p) => p.holds), [true, true]);
});

test("the progress of a race is that of all of its lanes, not of the one that spoke last", () => {
  const recording = emptyRecording();
  const at = (n: number, lane: number, states: number): Told => ({ n, t: n, check: 0, lane, event: "progress", phase: "search", states });
  record(recording, { n: 1, t: 0, check: 0, lane: 1, event: "lane", method: "monolithic", is: "started" });
  record(recording, { n: 2, t: 0, check: 0, lane: 2, event: "lane", method: "minimise", is: "started" });
  record(recording, { n: 3, t: 0, check: 0, lane: 3, event: "lane", method: "symbolic", is: "started" });
  for (const e of [at(4, 1, 1_000), at(5, 2, 10), at(6, 3, 7_000), at(7, 1, 2_000), at(8, 2, 20)]) record(recording, e);
  assert.deepEqual(recording.profile.map((p) => p.states), [1_000, 1_010, 1_010, 2_010, 2_020]);
  assert.equal(recording.progress?.states, 2_020);
});
