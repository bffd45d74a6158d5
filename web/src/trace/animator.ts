// Walks by hand and at random. A walk grows at its end; who goes back and takes another way loses what came after, unless
// the walk is a trace of a check: then the new way is a walk of its own.
import { askModel, failed, openWalk, say, showMoment } from "../actions";
import { presentWalk, state } from "../store";
import type { Walk } from "../store";
import { sameSubject, subjectNow } from "../subject";
import type { Moment, Move } from "../types";

let number = 0;

// Whether fluents and assertions are to be watched: they depend on the whole way, so it is followed from its beginning.
const watches = (): boolean => state.rows.some((r) => r.kind === "ltl" || r.kind === "progress");

async function withWatch(moments: Moment[]): Promise<void> {
  if (!watches()) return;
  const first = moments[0]!;
  const steps = moments.slice(0, -1).map((m, i) => ({ action: m.taken, ...(moments[i + 1]!.state ? { to: moments[i + 1]!.state } : {}) }));
  try {
    const told = await askModel<{ moments: Moment[] }>("surety/follow", { state: first.state, trace: steps, watch: true, brief: true });
    moments.forEach((m, i) => {
      const t = told.moments[i];
      if (t?.watch !== undefined) m.watch = t.watch;
      if (t?.flipped !== undefined) m.flipped = t.flipped;
    });
  } catch {
    // they are not shown then; the walk goes on
  }
}

// Only the last walk that was asked for is taken.
let asked = 0;

export async function begin(): Promise<void> {
  const mine = ++asked;
  const of = subjectNow(state);
  try {
    const first = await askModel<Moment>("surety/moves");
    const moments = [first];
    await withWatch(moments);
    if (mine === asked && sameSubject(of, subjectNow(state))) openWalk({ title: `walk ${++number}`, origin: "animate", moments, at: 0, of });
  } catch (e) {
    failed(e);
  }
}

// Puts a walk with other moments in the place of the shown one, or beside it.
function put(walk: Walk, moments: Moment[], at: number): void {
  const { cycleFrom: _, ...open } = walk;
  if (walk.origin === "animate") openWalk({ ...open, moments, at });
  else openWalk({ title: `fork of ${walk.title} at ${walk.at}`, origin: "animate", moments, at, ...(walk.of === undefined ? {} : { of: walk.of }) });
}

const sameMove = (walk: Walk, move: Move): boolean => {
  const [here, next] = [walk.moments[walk.at], walk.moments[walk.at + 1]];
  return here?.taken === move.action && (next?.state || undefined) === move.to;
};

// The moment that a move leads to.
async function after(move: Move): Promise<Moment> {
  const moment: Moment = move.to === undefined ? { state: "", moves: [] } : await askModel<Moment>("surety/moves", { state: move.to });
  moment.by = move;
  if (move.violates !== undefined && move.violates.length > 0) moment.violates = move.violates;
  if (move.error !== undefined) moment.error = move.error;
  return moment;
}

export async function take(move: Move): Promise<boolean> {
  const walk = presentWalk(state);
  if (walk === undefined) return false;
  if (sameMove(walk, move)) {
    showMoment(walk.at + 1);
    return true;
  }
  const mine = ++asked;
  try {
    const moments = walk.moments.slice(0, walk.at + 1);
    moments[walk.at] = { ...moments[walk.at]!, taken: move.action };
    moments.push(await after(move));
    await withWatch(moments);
    if (mine !== asked || presentWalk(state)?.id !== walk.id) return false;
    put(walk, moments, moments.length - 1);
    return true;
  } catch (e) {
    failed(e);
    return false;
  }
}

// A move at random, of those that are ticked. Nothing: there is none.
export function randomMove(moment: Moment, ticked: (action: string) => boolean): Move | undefined {
  const moves = (moment.moves ?? []).filter((m) => ticked(m.action));
  return moves[Math.floor(Math.random() * moves.length)];
}

const kStopped: Record<string, string> = {
  only: "none of the ticked actions can happen",
  deadlock: "deadlock: nothing can happen",
  ended: "all have ended",
};
const kRun = 1_000;

// At random until an action happens, or until something breaks.
export async function runUntil(until: string | "violation", only: readonly string[] | undefined): Promise<void> {
  const walk = presentWalk(state);
  const here = walk?.moments[walk.at];
  if (walk === undefined || here === undefined || here.state === "") return;
  const mine = ++asked;
  try {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const params = { state: here.state, steps: kRun, seed, until, ...(only === undefined ? {} : { only }) };
    const got = await askModel<{ moments: Moment[]; stopped: string }>("surety/walk", params);
    if (mine !== asked || presentWalk(state)?.id !== walk.id) return;
    const { taken: first } = got.moments[0]!;
    const moments = [...walk.moments.slice(0, walk.at), { ...here, ...(first === undefined ? {} : { taken: first }) }, ...got.moments.slice(1)];
    if (got.moments.length > 1) {
      await withWatch(moments);
      put(walk, moments, moments.length - 1);
    }
    const steps = got.moments.length - 1;
    const what = until === "violation" ? "nothing was violated" : `${until} did not happen`;
    if (got.stopped === "steps") say(`${what} in ${steps.toLocaleString("en")} steps: once more goes on`);
    else if (kStopped[got.stopped] !== undefined) say(`after ${steps} step${steps === 1 ? "" : "s"}: ${kStopped[got.stopped]}`);
    else if (got.stopped === "violation" && until !== "violation") say(`after ${steps} steps something is violated`);
  } catch (e) {
    failed(e);
  }
}
