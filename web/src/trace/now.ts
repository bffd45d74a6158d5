// Where the one cursor is: which states of which machines are present.
import type { Walk } from "../store";
import type { Lts, Moment, SystemOf } from "../types";

// Of a component or a property, as surety/machine numbers them.
export function presentState(moment: Moment | undefined, machine: string): number | undefined {
  const found = moment?.components?.find((c) => c.name === machine) ?? moment?.watchers?.find((w) => w.name === machine);
  return found?.state;
}

const known = new WeakMap<Lts, Map<string, number[]>>();

// Where each action leads from each state.
function nextOf(lts: Lts): Map<string, number[]> {
  const before = known.get(lts);
  if (before !== undefined) return before;
  const next = new Map<string, number[]>();
  for (const [from, action, to] of lts.steps ?? []) {
    const key = `${from} ${action}`;
    const list = next.get(key);
    if (list === undefined) next.set(key, [to]);
    else list.push(to);
  }
  known.set(lts, next);
  return next;
}

// Of the whole system: where the actions so far lead. Several states, where they lead to several.
export function statesAfter(lts: Lts, walk: Walk, at = walk.at): number[] {
  const next = nextOf(lts);
  let states = new Set([lts.initial ?? 0]);
  for (let i = 0; i < at; ++i) {
    const { taken } = walk.moments[i]!;
    if (taken === undefined) return [];
    const action = walk.moments[i + 1]?.by?.hidden ? "tau" : taken;
    const after = new Set<number>();
    for (const s of states) for (const to of next.get(`${s} ${action}`) ?? []) after.add(to);
    states = after;
  }
  return [...states];
}

export function markedIn(machine: { name: string } & Lts, walk: Walk | undefined, system: SystemOf | undefined): number[] {
  if (walk === undefined) return [];
  const present = presentState(walk.moments[walk.at], machine.name);
  if (present !== undefined) return [present];
  return machine.name === system?.whole ? statesAfter(machine, walk) : [];
}
