// Jobs: each streams its events into its recording, and has a report at the end. Rows of checks are one job each, so that
// each can be aborted; those that the server has no room for wait here, with the text and the options that they were asked for.
import * as api from "./api";
import { anew, readNow, written } from "./document";
import { failed, say } from "./messages";
import type { Point } from "./panels/points";
import { forgetJobs, keepJob, keptJobs } from "./remember";
import { emptyRecording, record } from "./recording";
import { changeRow, isTooMuch, lookOf, queued, rowKey, takeResult } from "./rows";
import type { Look } from "./rows";
import { change, state } from "./store";
import type { Doc, Job, Row } from "./store";
import { showTrace } from "./walks";
import type { JobRequest, Options, Report, Told } from "./types";

const kShow = 100; // ms between two pictures of a running job

// `onDisk`: the text as it is in the file, if lines end otherwise there.
type Asked = JobRequest & { onDisk?: string };

interface Waiting {
  key: string; // of the row
  row: string;
  request: Asked;
}
let waiting: Waiting[] = [];
const running = new Set<string>(); // rows whose job has not ended

// A row of the open file.
const here = (id: string): string => rowKey(state.doc?.path, id);

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
// it says nothing else and the path is that of the document: what is on disk may have changed since.
export async function runJob({ onDisk, ...request }: Asked, row?: string, each?: (event: Told, job: string) => void): Promise<Job> {
  const { doc } = state;
  const isOurs = doc !== undefined && doc.path === request.path;
  const text = request.text ?? (isOurs ? doc.text : undefined);
  const sent = onDisk ?? (isOurs && text !== undefined ? written(doc, text) : text);
  const started = await api.startJob(sent === undefined ? request : { ...request, text: sent });
  const id = freshId(started.job);
  const job: Job = {
    id,
    name: started.job,
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
    if (s.doc?.path !== request.path) return; // another file is open by now
    if (row === undefined || s.selectedRow === undefined || s.selectedRow === row) {
      s.selectedJob = id; // of many rows that run, the chosen one stays in sight
      s.conjecture = undefined;
    }
    if (row !== undefined) changeRow(s, row, { job: id });
  });
  if (row !== undefined && !queued.delete(rowKey(request.path, row))) void abort(id); // aborted before it had a name
  await follow(job, each);
  return state.jobs[id]!;
}

// Another server gives the same names again.
function freshId(name: string): string {
  let id = name;
  while (state.jobs[id] !== undefined) id += "'";
  return id;
}

// Their server has ended, and there is another one: what they have told is all there is.
export function loseJobs(): void {
  for (const controller of controllers.values()) controller.abort();
  waiting = [];
  queued.clear();
  running.clear();
  forgetJobs();
  change((s) => {
    s.jobs = Object.fromEntries(Object.entries(s.jobs).map(([id, job]) => [id, { ...job, lost: true, state: "done" }]));
  });
}

// The jobs that this tab had before it was loaded again: those that have ended one after the other, which is quick.
export async function takeUpJobs(): Promise<void> {
  for (const { isDone, ...kept } of await keptJobs()) {
    const { name } = kept;
    if (state.jobs[name] !== undefined) continue;
    const job: Job = { ...kept, id: name, state: "running", recording: emptyRecording() };
    change((s) => {
      s.jobs = { ...s.jobs, [name]: job };
      s.commandLine = kept.commandLine;
      if (kept.row !== undefined && kept.path === s.doc?.path) changeRow(s, kept.row, { job: name });
    });
    const ended = follow(job);
    if (isDone) await ended;
  }
}

const controllers = new Map<string, AbortController>();

async function follow({ id, name, recording }: Job, each?: (event: Told, job: string) => void): Promise<void> {
  const controller = new AbortController();
  const { signal: given } = controller;
  controllers.set(id, controller);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await api.events(
      name,
      (event) => {
        record(recording, event);
        each?.(event, id);
        if (event.event === "start") changeJob(id, { state: "running" });
        timer ??= setTimeout(() => {
          timer = undefined;
          change(() => {}); // what shows this job looks at recording.events
        }, kShow);
      },
      given,
    );
    if (given.aborted) return;
    const report = await api.report(name);
    if (given.aborted) return;
    const signal = recording.ended?.signal;
    changeJob(id, { state: "done", report, ...(signal === undefined ? {} : { signal }) });
    takeReport(id, report);
  } catch (e) {
    if (given.aborted) return;
    const signal = recording.ended?.signal;
    changeJob(id, { state: "done", ...(signal === undefined ? {} : { signal }) });
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
    if (job.command === "check" && job.path === s.doc?.path) for (const check of report.checks ?? []) takeResult(s, check, id);
  });
  const [first] = report.errors ?? [];
  if (first !== undefined) say(first.line === undefined ? first.message : `line ${first.line}: ${first.message}`, "error");
}

// --- Rows.

export function runRow(id: string): void {
  enqueue([id]);
}

// What was typed last may have other checks than those that are listed.
export async function runAll(): Promise<void> {
  const path = state.doc?.path;
  await readNow();
  if (state.doc === undefined || state.doc.path !== path) return;
  const error = state.model?.diagnostics.find((d) => d.severity === 1);
  if (state.rows.length === 0 && isTooMuch(state)) void runWhole();
  else if (error !== undefined) say(`line ${error.range.start.line + 1}: ${error.message}`, "error");
  else if (state.rows.length === 0) say("this text declares nothing to check");
  else enqueue(state.rows.filter((r) => r.inside).map((r) => r.id));
}

// All checks of a model that cannot be read in the time of a question, as one job; its report makes the rows.
export async function runWhole(): Promise<void> {
  const { doc } = state;
  if (doc === undefined) return;
  const { cells: _, ...how } = state.how;
  try {
    await runJob({ command: "check", path: doc.path, options: { ...how, ...modelOptions() } });
  } catch (e) {
    failed(e);
  }
}

function enqueue(ids: string[]): void {
  const { doc } = state;
  if (doc === undefined) return;
  for (const id of ids) {
    const key = here(id);
    const row = state.rows.find((r) => r.id === id);
    if (row === undefined || queued.has(key) || running.has(key)) continue;
    queued.add(key);
    waiting.push({ key, row: id, request: requestOf(row, doc) });
  }
  change((s) => {
    if (ids.length === 1) s.selectedRow = ids[0];
  });
  pump();
}

function requestOf(row: Row, doc: Doc): Asked {
  const { cells: _, ...how } = state.how;
  const options: Options = { ...how, ...modelOptions(), property: [row.name], ...seedsOf(row) };
  return { command: "check", path: doc.path, text: doc.text, onDisk: written(doc, doc.text), options };
}

function pump(): void {
  const most = Math.max(1, state.hello?.limits.jobs ?? 1);
  while (running.size < most && waiting.length > 0) {
    const next = waiting.shift()!;
    running.add(next.key);
    void runOne(next).finally(() => {
      running.delete(next.key);
      pump();
    });
  }
}

async function runOne({ key, row, request }: Waiting): Promise<void> {
  try {
    await runJob(request, row);
  } catch (e) {
    failed(e);
  } finally {
    queued.delete(key);
    change(() => {});
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

export async function abort(id: string): Promise<void> {
  const job = state.jobs[id];
  if (job === undefined || job.state === "done") return;
  try {
    await api.cancelJob(job.name);
  } catch (e) {
    failed(e);
  }
}

export function abortRow(id: string): void {
  const key = here(id);
  if (queued.delete(key)) {
    waiting = waiting.filter((w) => w.key !== key);
    change(() => {});
    return;
  }
  const job = state.rows.find((r) => r.id === id)?.job;
  if (job !== undefined) void abort(job);
}

export function abortAll(): void {
  waiting = [];
  queued.clear();
  change(() => {});
  for (const job of Object.values(state.jobs)) void abort(job.id);
}

export const anyRunning = (): boolean => queued.size > 0 || Object.values(state.jobs).some((job) => job.state !== "done");

// The run that a point of an experiment stands for, on this page: its constants and its method are taken over, and its
// check is run again, so that there is a proof or a trace to look at.
export async function openPoint(point: Point): Promise<void> {
  const path = state.doc?.path;
  setHow("method", point.method);
  change((s) => (s.define = { ...s.define, ...point.define }));
  await anew();
  const row = state.rows.find((r) => r.name === point.property || r.kind === point.property);
  if (row === undefined || state.doc?.path !== path) return;
  change((s) => {
    s.selectedRow = row.id;
    s.panel = point.verdict === "violated" ? "trace" : "proof";
  });
  runRow(row.id);
  await idle(here(row.id));
  if (state.doc?.path === path && state.panel === "trace") await showTrace(row.id);
}

// Waits until a row has an answer; it is run if there is none.
export async function resultOf(id: string): Promise<void> {
  const key = here(id);
  const look = (): Look | undefined => {
    const row = here(id) === key ? state.rows.find((r) => r.id === id) : undefined; // another file may be open by now
    return row === undefined ? undefined : lookOf(state, row);
  };
  const first = look();
  if (first === undefined || first === "holds" || first === "violated") return;
  if (first !== "running" && first !== "waiting") runRow(id);
  while (look() === "running" || look() === "waiting") await new Promise((go) => setTimeout(go, 30));
  await idle(key);
}

async function idle(key: string): Promise<void> {
  while (running.has(key) || queued.has(key)) await new Promise((go) => setTimeout(go, 30));
}
