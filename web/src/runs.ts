// Jobs: each streams its events into its recording, and has a report at the end. Rows of checks are one job each, so that
// each can be aborted; those that the server has no room for wait here.
import * as api from "./api";
import { anew } from "./document";
import { failed, say } from "./messages";
import type { Point } from "./panels/points";
import { keepJob, keptJobs } from "./remember";
import { emptyRecording, record } from "./recording";
import { changeRow, isTooMuch, lookOf, takeResult } from "./rows";
import { change, state } from "./store";
import type { Job, Row } from "./store";
import { showTrace } from "./walks";
import type { JobRequest, Options, Report, Told } from "./types";

const kShow = 100; // ms between two pictures of a running job
const waiting: string[] = []; // rows, as `whole` names them
const running = new Set<string>(); // those whose job has not ended

// A row of a file: others have rows of the same names.
const whole = (id: string): string => `${state.doc?.path ?? ""}\n${id}`;

export function setHow(name: string, value: Options[string] | undefined): void {
  change((s) => {
    const { [name]: _, ...others } = s.how;
    s.how = value === undefined || value === "" ? others : { ...others, [name]: value };
  });
}

function changeJob(id: string, how: Partial<Job>): void {
  change((s) => {
    const job = s.jobs[id];
    if (job !== undefined) s.jobs = { ...s.jobs, [id]: { ...job, ...how } };
  });
}

// The options that every job about the open document has: constants, system, cells.
export function modelOptions(): Options {
  const options: Options = {};
  if (Object.keys(state.define).length > 0) options.define = { ...state.define };
  if (state.system !== undefined) options.system = state.system;
  if (state.how.cells !== undefined) options.cells = state.how.cells;
  return options;
}

// Starts a job, follows it to its end, and gives it back with its report. The request's text is that of the editor, if
// it says nothing else and the path is that of the document.
export async function runJob(request: JobRequest, row?: string, each?: (event: Told, job: string) => void): Promise<Job> {
  const doc = state.doc;
  const ours = doc !== undefined && doc.path === request.path;
  const text = request.text ?? (ours ? doc.text : undefined);
  const asked: JobRequest = { ...request };
  if (text !== undefined && !(ours && text === doc.saved)) asked.text = text;
  const started = await api.startJob(asked);
  const id = started.job;
  const job: Job = {
    id,
    command: request.command,
    commandLine: started.command_line,
    path: request.path,
    text: text ?? "",
    state: "queued",
    options: request.options,
    recording: emptyRecording(),
    ...(row === undefined ? {} : { row }),
  };
  keepJob(job);
  change((s) => {
    s.jobs = { ...s.jobs, [id]: job };
    s.commandLine = started.command_line;
    if (row === undefined || s.selectedRow === undefined || s.selectedRow === row) {
      s.selectedJob = id; // of many rows that run, the chosen one stays in sight
      s.conjecture = undefined;
    }
    if (row !== undefined && s.doc?.path === request.path) changeRow(s, row, { job: id, waiting: false });
  });
  await follow(id, each);
  return state.jobs[id]!;
}

// The jobs that this tab had before it was loaded again: those that have ended one after the other, which is quick.
export async function takeUpJobs(): Promise<void> {
  for (const { isDone, ...kept } of await keptJobs()) {
    if (state.jobs[kept.id] !== undefined) continue;
    change((s) => {
      s.jobs = { ...s.jobs, [kept.id]: { ...kept, state: "running", recording: emptyRecording() } };
      s.commandLine = kept.commandLine;
      if (kept.row !== undefined && kept.path === s.doc?.path) changeRow(s, kept.row, { job: kept.id });
    });
    const ended = follow(kept.id);
    if (isDone) await ended;
  }
}

const controllers = new Map<string, AbortController>();

async function follow(id: string, each?: (event: Told, job: string) => void): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  const { recording } = state.jobs[id]!;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await api.events(
      id,
      (event) => {
        record(recording, event);
        each?.(event, id);
        if (event.event === "start") changeJob(id, { state: "running" });
        timer ??= setTimeout(() => {
          timer = undefined;
          change(() => {}); // what shows this job looks at recording.events
        }, kShow);
      },
      controller.signal,
    );
    const report = await api.report(id);
    const signal = recording.ended?.signal;
    takeReport(id, report);
    changeJob(id, { state: "done", report, ...(signal === undefined ? {} : { signal }) });
  } catch (e) {
    changeJob(id, { state: "done" });
    failed(e);
  } finally {
    clearTimeout(timer);
    controllers.delete(id);
    change(() => {});
  }
}

// What a report of check says, put into the rows.
function takeReport(id: string, report: Report): void {
  change((s) => {
    const job = s.jobs[id]!;
    if (job.command !== "check" || job.path !== s.doc?.path) return;
    for (const check of report.checks ?? []) {
      // That one's own assumption was wrong says nothing of the property.
      if (job.options.assumption === undefined || check.verdict !== "unknown") takeResult(s, check, id);
    }
  });
  const [first] = report.errors ?? [];
  if (first !== undefined) say(first.line === undefined ? first.message : `line ${first.line}: ${first.message}`, "error");
}

// --- Rows.

export function runRow(id: string): void {
  enqueue([id]);
}

export function runAll(): void {
  if (state.rows.length === 0 && isTooMuch(state)) void runWhole();
  else enqueue(state.rows.filter((r) => r.inside).map((r) => r.id));
}

// All checks of a model that cannot be read in the time of a question, as one job; its report makes the rows.
export async function runWhole(): Promise<void> {
  const doc = state.doc;
  if (doc === undefined) return;
  const { cells: _, ...how } = state.how;
  try {
    await runJob({ command: "check", path: doc.path, options: { ...how, ...modelOptions() } });
  } catch (e) {
    failed(e);
  }
}

function enqueue(ids: string[]): void {
  if (state.doc === undefined) return;
  const fresh = ids.filter((id) => !waiting.includes(whole(id)) && !running.has(whole(id)));
  waiting.push(...fresh.map(whole));
  change((s) => {
    for (const id of fresh) changeRow(s, id, { waiting: true });
    if (ids.length === 1) s.selectedRow = ids[0];
  });
  pump();
}

function pump(): void {
  const most = Math.max(1, state.hello?.limits.jobs ?? 1);
  while (running.size < most && waiting.length > 0) {
    const id = waiting.shift()!;
    const row = state.rows.find((r) => whole(r.id) === id);
    if (row === undefined) continue; // of a file that is not open any more
    running.add(id);
    void runOne(row).finally(() => {
      running.delete(id);
      pump();
    });
  }
}

async function runOne(row: Row): Promise<void> {
  const doc = state.doc!;
  const { cells: _, ...how } = state.how;
  const options: Options = { ...how, ...modelOptions(), property: [row.name], ...seedsOf(row) };
  try {
    await runJob({ command: "check", path: doc.path, options }, row.id);
  } catch (e) {
    change((s) => changeRow(s, row.id, { waiting: false }));
    failed(e);
  }
}

// Learning may begin with the assumptions of the last proof of the same row; they need not fit any more.
function seedsOf(row: Row): Options {
  const method = state.hello?.methods.find((m) => m.name === state.how.method);
  const last = row.result?.assumptions ?? [];
  const can = state.seed && state.how.assumption === undefined && method?.options.includes("seed-assumption") === true;
  if (!can || last.length === 0 || row.result?.method !== state.how.method) return {};
  if (last.some((a) => a.lts?.steps === undefined)) return {};
  const names = last.map((_, i) => `last-assumption-${i + 1}.json`);
  const texts = last.map((a) => JSON.stringify({ schema: 1, initial: 0, error: null, end: null, ...a.lts }));
  return { "seed-assumption": names, texts: Object.fromEntries(names.map((n, i) => [n, texts[i]!])) };
}

export async function abort(job: string): Promise<void> {
  try {
    await api.cancelJob(job);
  } catch (e) {
    failed(e);
  }
}

export function abortRow(id: string): void {
  const at = waiting.indexOf(whole(id));
  if (at >= 0) {
    waiting.splice(at, 1);
    change((s) => changeRow(s, id, { waiting: false }));
    return;
  }
  const job = state.rows.find((r) => r.id === id)?.job;
  if (job !== undefined && state.jobs[job]?.state !== "done") void abort(job);
}

export function abortAll(): void {
  waiting.length = 0;
  change((s) => (s.rows = s.rows.map((r) => (r.waiting ? { ...r, waiting: false } : r))));
  for (const job of Object.values(state.jobs)) if (job.state !== "done") void abort(job.id);
}

export const anyRunning = (): boolean =>
  waiting.length > 0 || Object.values(state.jobs).some((job) => job.state !== "done");

// The run that a point of an experiment stands for, on this page: its constants and its method are taken over, and its
// check is run again, so that there is a proof or a trace to look at.
export async function openPoint(point: Point): Promise<void> {
  setHow("method", point.method);
  change((s) => (s.define = { ...s.define, ...point.define }));
  await anew();
  const row = state.rows.find((r) => r.name === point.property || r.kind === point.property);
  if (row === undefined) return;
  change((s) => {
    s.selectedRow = row.id;
    s.panel = point.verdict === "violated" ? "trace" : "proof";
  });
  runRow(row.id);
  await idle(row.id);
  if (point.verdict === "violated") await showTrace(row.id);
}

// The job of a row whose proof can be shown, started if there is none.
export async function resultOf(id: string): Promise<void> {
  const row = state.rows.find((r) => r.id === id);
  if (row === undefined) return;
  const look = lookOf(state, row);
  if (look === "holds" || look === "violated") return;
  if (look !== "running") runRow(id);
  const isRunning = () => lookOf(state, state.rows.find((r) => r.id === id) ?? row) === "running";
  while (look === "running" && isRunning()) await new Promise((go) => setTimeout(go, 50));
  await idle(id);
}

async function idle(row: string): Promise<void> {
  const it = whole(row);
  while (running.has(it) || waiting.includes(it)) await new Promise((go) => setTimeout(go, 30));
}
