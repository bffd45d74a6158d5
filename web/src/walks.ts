// Walks through the system: traces that a check has found, and ways that were walked by hand. One of them is shown, and
// its cursor is the one cursor of the page.
import { ApiError } from "./api";
import { askModel, askOther } from "./language";
import { failed, say } from "./messages";
import { chooseRow, isCurrent } from "./rows";
import { change, state, walkOf } from "./store";
import type { Job, Row, Walk } from "./store";
import { subjectNow, subjectOf } from "./subject";
import type { CheckResult, Moment } from "./types";

const kBrief = 2_000; // steps; of longer traces what else there is to a moment is told when it is to be seen (trace/fill.ts)

let walkNumber = 0;
let traced = 0; // only the trace that was asked for last is shown

// The one cursor: chart, table, drawings, animator and editor show this moment of the shown walk.
export function showMoment(at: number): void {
  change((s) => {
    const walk = walkOf(s);
    if (walk === undefined) return;
    const here = Math.max(0, Math.min(at, walk.moments.length - 1));
    s.walks = s.walks.map((w) => (w.id === walk.id ? { ...w, at: here } : w));
  });
}

export function showWalk(id: string): void {
  ++traced;
  change((s) => {
    s.tracing = undefined;
    s.walk = id;
  });
}

// Puts a walk among the others, in place of one with the same id, and shows it.
export function openWalk(walk: Omit<Walk, "id" | "serial"> & { id?: string; serial?: number }): string {
  const serial = walk.serial ?? ++walkNumber;
  const id = walk.id ?? `walk ${serial}`;
  ++traced;
  change((s) => {
    s.tracing = undefined;
    const made: Walk = { ...walk, id, serial, of: walk.of ?? subjectNow(s) };
    const known = s.walks.some((w) => w.id === id);
    s.walks = known ? s.walks.map((w) => (w.id === id ? made : w)) : [...s.walks, made];
    s.walk = id;
  });
  return id;
}

// What is known now of its moments, and was not before.
export function knowMoments(id: string, moments: Moment[]): void {
  change((s) => (s.walks = s.walks.map((w) => (w.id === id ? { ...w, moments } : w))));
}

// Takes a walk away; the one before it is shown then.
export function closeWalk(id: string): void {
  change((s) => {
    const at = s.walks.findIndex((w) => w.id === id);
    s.walks = s.walks.filter((w) => w.id !== id);
    if (s.walk === id) s.walk = s.walks[Math.max(0, at - 1)]?.id;
  });
}

// Another way from the moment that is shown. The old one stays as a tab beside it.
export function fork(): void {
  const walk = walkOf(state);
  if (walk === undefined) return;
  const moments = walk.moments.slice(0, walk.at + 1).map((m) => ({ ...m }));
  delete moments[moments.length - 1]!.taken;
  openWalk({ title: `fork of ${walk.title} at ${walk.at}`, origin: "animate", moments, at: walk.at, ...(walk.of === undefined ? {} : { of: walk.of }) });
  change((s) => {
    s.panel = "animate";
    s.view = "checks";
  });
}

interface Followed {
  moments: Moment[];
  stuck?: boolean;
  stuck_step?: number;
  cycle_from?: number; // the number of the first step of the cycle among the moments, from 1
}

// The moment with which the cycle begins: before its first step. Silent steps that the trace lacks have come by themselves.
function cycleOf(reply: Followed, result: CheckResult): { cycleFrom?: number } {
  if (result.cycle === undefined || result.cycle.length === 0) return {};
  if (reply.cycle_from !== undefined) return { cycleFrom: reply.cycle_from - 1 };
  const at = reply.moments.findIndex((m) => m.step === result.trace!.length + 1);
  return { cycleFrom: at > 0 ? at - 1 : Math.min(result.trace!.length, reply.moments.length - 1) };
}

// The counterexample of a row, walked on the model that it was found in.
export async function showTrace(rowId: string): Promise<void> {
  const row = state.rows.find((r) => r.id === rowId);
  const { result, from } = row ?? {};
  if (row === undefined || result?.trace === undefined) return;
  change((s) => {
    s.panel = "trace";
    s.view = "checks";
    chooseRow(s, rowId);
  });
  const id = `trace of ${rowId}`;
  const known = state.walks.find((w) => w.id === id);
  if (known !== undefined && known.result === result) {
    showWalk(id);
    return;
  }
  const job = from === undefined ? undefined : state.jobs[from];
  const mine = ++traced;
  const path = state.doc?.path;
  change((s) => {
    s.tracing = row.name;
    s.walk = undefined;
  });
  try {
    const reply = await follow(row, result, job).catch((e) => {
      if (!(e instanceof ApiError) || e.status === 0 || e.status === 401) throw e;
      say(`the trace could not be followed, and its steps are all there is: ${e.message}`, "error");
      return untold(result);
    });
    if (mine !== traced || state.doc?.path !== path) return;
    const length = result.trace.length + (result.cycle?.length ?? 0);
    if (reply.stuck) say(`the trace could be followed for ${reply.stuck_step ?? reply.moments.length - 1} of ${length} steps`, "error");
    openWalk({
      id,
      title: row.name,
      origin: "trace",
      row: rowId,
      moments: reply.moments,
      at: 0,
      result,
      ...(job === undefined ? {} : { of: subjectOf(job) }),
      ...cycleOf(reply, result),
    });
  } catch (e) {
    if (mine !== traced) return;
    change((s) => (s.tracing = undefined));
    failed(e);
  }
}

// The steps as they were found, without the states between them.
function untold(result: CheckResult): Followed {
  const steps = [...(result.trace ?? []), ...(result.cycle ?? [])];
  const moments: Moment[] = [undefined, ...steps].map((action, i) => ({
    state: "",
    moves: [],
    ...(action === undefined ? {} : { by: { action, who: result.participants?.[i - 1] ?? [] }, step: i }),
    ...(i < steps.length ? { taken: steps[i] } : {}),
  }));
  return { moments };
}

function follow(row: Row, result: CheckResult, job: Job | undefined): Promise<Followed> {
  const cycle = result.cycle ?? [];
  const way = result.steps === undefined ? { trace: result.trace, cycle } : { steps: result.steps, cycle };
  const brief = (result.steps ?? result.trace!).length + cycle.length > kBrief;
  const params = { ...way, kind: row.kind, property: row.name, properties: [row.name], watch: true, brief };
  const isOld = job !== undefined && !isCurrent(state, job);
  return isOld ? askOther<Followed>(job, "surety/follow", params) : askModel<Followed>("surety/follow", params);
}
