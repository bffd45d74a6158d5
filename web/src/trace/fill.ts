// Of long walks only the steps are told at first. What is to be seen is told in full when it is: where all are, what
// changed, what could happen. Pieces of the walk are asked for once each.
import { askModel } from "../actions";
import { presentWalk, state } from "../store";
import type { Walk } from "../store";
import type { Moment } from "../types";
import { knowMoments } from "../walks";

const kPiece = 200; // moments

const isFull = (m: Moment): boolean => m.moves !== undefined || m.state === "";

// The pieces of a walk in which a moment between `from` and `to` lacks something, by their first moments.
export function missing(moments: readonly Moment[], from: number, to: number): number[] {
  const out: number[] = [];
  const end = Math.min(to, moments.length - 1);
  for (let at = Math.max(0, from); at <= end; ++at) {
    if (isFull(moments[at]!)) continue;
    const piece = at - (at % kPiece);
    out.push(piece);
    at = piece + kPiece - 1;
  }
  return out;
}

const asked = new Set<string>();

export async function fill(from: number, to: number): Promise<void> {
  const walk = presentWalk(state);
  if (walk === undefined) return;
  for (const piece of missing(walk.moments, from, to)) {
    const key = `${walk.serial} ${walk.moments.length} ${piece}`;
    if (asked.has(key)) continue;
    asked.add(key);
    await fillPiece(walk, piece).catch(() => undefined); // the text has changed since
    asked.delete(key);
  }
}

async function fillPiece(walk: Walk, piece: number): Promise<void> {
  const first = Math.max(0, piece - 1); // from which what changed in the next one is told
  const { moments } = walk;
  const part = moments.slice(first, piece + kPiece);
  const trace = part.slice(1).map((m, i) => ({ action: part[i]!.taken, ...(m.state ? { to: m.state } : {}) }));
  const told = await askModel<{ moments: Moment[] }>("surety/follow", { state: part[0]!.state, trace });
  const now = state.walks.find((w) => w.id === walk.id);
  if (now === undefined || now.serial !== walk.serial) return;
  knowMoments(
    now.id,
    now.moments.map((m, i) => {
      const full = told.moments[i - first];
      const isSame = full !== undefined && m === moments[i] && (full.state || "") === (m.state || "");
      return isSame && full.moves !== undefined ? { ...full, ...m, moves: full.moves } : m;
    }),
  );
}
