// The rows of the list of checks: one for each check of the system, in the order of the report, with the last result.
import type { Job, Row, State } from "./store";
import { sameSubject, subjectNow, subjectOf } from "./subject";
import type { CheckResult, Kind, Place } from "./types";

// Rows whose jobs are to be started when others have ended, as `rowKey` names them: files have rows of the same names.
export const queued = new Set<string>();
export const rowKey = (path: string | undefined, id: string): string => `${path ?? ""}\n${id}`;

export const rowId = (kind: Kind, name: string): string => `${kind} ${name}`;

// What `--property` takes for a check of a report.
export function nameOf(check: { kind: Kind; property?: string }): string {
  if (check.property) return check.property;
  return check.kind === "error" ? "assert" : check.kind;
}

// Rows of what the language process says there is; results of rows that are still there stay.
export function takeChecks(s: State): void {
  const checks = s.model?.system?.checks;
  if (checks === undefined) {
    if (s.rows.length === 0 && isTooMuch(s)) rowsOfReports(s);
    return;
  }
  const old = new Map(s.rows.map((r) => [r.id, r]));
  const before = s.rows.length > 0 ? new Map<string, Partial<Row>>() : lastOf(s);
  s.rows = checks.map((c) => {
    const name = nameOf({ kind: c.kind, property: c.name });
    const id = rowId(c.kind, name);
    const row: Row = { ...(old.get(id) ?? before.get(id)), id, kind: c.kind, name, inside: c.inside !== false };
    if (c.place !== undefined) row.place = c.place;
    return row;
  });
  if (!s.rows.some((r) => r.id === s.selectedRow)) s.selectedRow = undefined;
}

const checksOf = (s: State): Job[] => Object.values(s.jobs).filter((j) => j.command === "check" && j.path === s.doc?.path);

// Of a file that was open before: the last job of each row, and the last result.
function lastOf(s: State): Map<string, Partial<Row>> {
  const out = new Map<string, Partial<Row>>();
  for (const job of checksOf(s)) {
    if (job.row !== undefined) out.set(job.row, { ...out.get(job.row), job: job.id });
    for (const check of job.report?.checks ?? []) {
      const id = rowId(check.kind, nameOf(check));
      if (counts(job, check)) out.set(id, { job: job.id, ...out.get(id), result: check, from: job.id });
    }
  }
  return out;
}

// Where nothing else says which checks there are, and a job about all of them has said so before.
function rowsOfReports(s: State): void {
  for (const job of checksOf(s)) for (const check of job.report?.checks ?? []) takeResult(s, check, job.id);
}

// That one's own assumption was wrong says nothing of the property.
const counts = (job: Job, check: CheckResult): boolean => job.options.assumption === undefined || check.verdict !== "unknown";

const known = new WeakMap<Row[], Map<string, Row>>(); // there may be thousands, and each is looked for at every change

export function rowCalled(s: State, id: string): Row | undefined {
  let rows = known.get(s.rows);
  if (rows === undefined) known.set(s.rows, (rows = new Map(s.rows.map((r) => [r.id, r]))));
  return rows.get(id);
}

export function changeRow(s: State, id: string, how: Partial<Row>): void {
  s.rows = s.rows.map((r) => (r.id === id ? { ...r, ...how } : r));
}

// Whether a job is about what is in the editor now.
export const isCurrent = (s: State, job: Job): boolean => job.path === s.doc?.path && sameSubject(subjectOf(job), subjectNow(s));

export type Look = "not run" | "waiting" | "running" | "holds" | "violated" | "unknown" | "stale";

// How a row stands. A result of an older text is stale, whatever it was.
export function lookOf(s: State, row: Row): Look {
  if (queued.has(rowKey(s.doc?.path, row.id))) return "waiting";
  const job = row.job === undefined ? undefined : s.jobs[row.job];
  if (job !== undefined && job.state !== "done") return job.state === "queued" ? "waiting" : "running";
  if (row.result === undefined) return "not run";
  const from = row.from === undefined ? undefined : s.jobs[row.from];
  return from !== undefined && isCurrent(s, from) ? row.result.verdict : "stale";
}

// Whose proof and output are those of the row: the one that runs, else the one that has answered last.
export function jobOfRow(s: State, row: Row): Job | undefined {
  const last = row.job === undefined ? undefined : s.jobs[row.job];
  if (last !== undefined && last.state !== "done") return last;
  return (row.from === undefined ? undefined : s.jobs[row.from]) ?? last;
}

// The row that is chosen, and with it whose proof is shown.
export function chooseRow(s: State, id: string): void {
  s.selectedRow = id;
  const row = s.rows.find((r) => r.id === id);
  const job = row === undefined ? undefined : jobOfRow(s, row);
  if (job === undefined || s.selectedJob === job.id) return;
  s.selectedJob = job.id;
  s.conjecture = undefined;
}

export const placeText = (place: Place | undefined): string => (place?.line === undefined ? "" : `line ${place.line}`);

// Whether reading the text takes more than a question may: the language process then knows of no checks.
export const isTooMuch = (s: State): boolean => s.model?.diagnostics.some((d) => d.code === "too-much") ?? false;

// The row of an entry of a report. It makes one if the language process could not say which there are. What was begun
// earlier and has answered later does not take the place of what is known.
export function takeResult(s: State, check: CheckResult, id: string): void {
  const job = s.jobs[id]!;
  if (!counts(job, check)) return;
  const name = nameOf(check);
  const its = rowId(check.kind, name);
  if (!s.rows.some((r) => r.id === its)) {
    if (!isTooMuch(s)) return;
    s.rows = [...s.rows, { id: its, kind: check.kind, name, inside: true }];
  }
  const row = s.rows.find((r) => r.id === its)!;
  const order = Object.keys(s.jobs);
  const isOlder = (other: string | undefined) => other !== undefined && order.indexOf(other) > order.indexOf(id);
  if (isOlder(row.from)) return;
  changeRow(s, its, { result: check, from: id, ...(isOlder(row.job) ? {} : { job: id }) });
}
