// The rows of the list of checks: one for each check of the system, in the order of the report, with the last result.
import type { Job, Row, State } from "./store";
import type { CheckResult, Kind, Place } from "./types";

export const rowId = (kind: Kind, name: string): string => `${kind} ${name}`;

// What `--property` takes for a check of a report.
export function nameOf(check: { kind: Kind; property?: string }): string {
  if (check.property) return check.property;
  return check.kind === "error" ? "assert" : check.kind;
}

// Rows of what the language process says there is; results of rows that are still there stay.
export function takeChecks(s: State): void {
  const checks = s.model?.system?.checks;
  if (checks === undefined) return;
  const old = new Map(s.rows.map((r) => [r.id, r]));
  s.rows = checks.map((c) => {
    const name = nameOf({ kind: c.kind, property: c.name });
    const id = rowId(c.kind, name);
    const row: Row = { ...(old.get(id) ?? lastOf(s, id)), id, kind: c.kind, name, inside: c.inside !== false };
    if (c.place !== undefined) row.place = c.place;
    return row;
  });
  if (!s.rows.some((r) => r.id === s.selectedRow)) s.selectedRow = undefined;
}

// Of a file that was open before: its last job for this row, and what that said.
function lastOf(s: State, id: string): Partial<Row> {
  const job = Object.values(s.jobs).findLast((j) => j.row === id && j.path === s.doc?.path);
  if (job === undefined) return {};
  const result = job.report?.checks?.find((c) => rowId(c.kind, nameOf(c)) === id);
  return { job: job.id, ...(result === undefined ? {} : { result }) };
}

export function changeRow(s: State, id: string, how: Partial<Row>): void {
  s.rows = s.rows.map((r) => (r.id === id ? { ...r, ...how } : r));
}

// Whether a job is about what is in the editor now: the text, the constants, the system.
export function isCurrent(s: State, job: Job): boolean {
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});
  return (
    job.path === s.doc?.path &&
    job.text === s.doc.text &&
    same(job.options.define, s.define) &&
    (job.options.system ?? "") === (s.system ?? "") &&
    (job.options.cells ?? false) === (s.how.cells ?? false)
  );
}

export type Look = "not run" | "waiting" | "running" | "holds" | "violated" | "unknown" | "stale";

// How a row stands. A result of an older text is stale, whatever it was.
export function lookOf(s: State, row: Row): Look {
  if (row.waiting) return "waiting";
  const job = row.job === undefined ? undefined : s.jobs[row.job];
  if (job !== undefined && job.state !== "done") return job.state === "queued" ? "waiting" : "running";
  if (row.result === undefined) return "not run";
  if (job === undefined || !isCurrent(s, job)) return "stale";
  return row.result.verdict;
}

export const placeText = (place: Place | undefined): string => (place?.line === undefined ? "" : `line ${place.line}`);

// Whether reading the text takes more than a question may: the language process then knows of no checks.
export const isTooMuch = (s: State): boolean => s.model?.diagnostics.some((d) => d.code === "too-much") ?? false;

// The row of an entry of a report. It makes one if the language process could not say which there are.
export function takeResult(s: State, check: CheckResult, job: string): void {
  const name = nameOf(check);
  const id = rowId(check.kind, name);
  if (!s.rows.some((r) => r.id === id)) {
    if (!isTooMuch(s)) return;
    s.rows = [...s.rows, { id, kind: check.kind, name, inside: true }];
  }
  changeRow(s, id, { result: check, job });
}
