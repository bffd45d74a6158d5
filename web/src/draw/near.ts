// The neighbourhood of a state: what is within so many steps of it, forwards and backwards if wanted, and which of its
// states have neighbours that are not in it. For machines whose steps are here; of larger ones `surety/near` tells it.
import type { Lts } from "../types";

export interface Near {
  of: number; // states of the whole machine
  states: number[];
  steps: [number, string, number][];
  names?: (string | null)[]; // of `states`, in their order
  rim?: number[];
  error?: number | null;
  end?: number | null;
}

export interface Range {
  state: number;
  radius: number;
  both: boolean; // backwards as well
}

export const kNear = 200; // states at most

export function near(lts: Lts, { state, radius, both }: Range, most = kNear): Near {
  const next: [number, number][][] = Array.from({ length: lts.states }, () => []);
  lts.steps!.forEach(([from, , to], i) => {
    next[from]!.push([to, i]);
    if (both) next[to]!.push([from, i]);
  });
  const distance = new Map([[state, 0]]);
  for (const [at, far] of distance) {
    // A map is walked in the order of insertion, and what is inserted meanwhile comes, too.
    if (far === radius) continue;
    for (const [to] of next[at]!) if (distance.size < most && !distance.has(to)) distance.set(to, far + 1);
  }
  const states = [...distance.keys()].sort((a, b) => a - b);
  const steps = lts.steps!.filter(([from, , to]) => distance.has(from) && distance.has(to));
  const rim = states.filter((s) => next[s]!.some(([to]) => !distance.has(to)));
  const out: Near = { of: lts.states, states, steps, rim, error: lts.error, end: lts.end };
  if (lts.names !== undefined) out.names = states.map((s) => lts.names![s] ?? null);
  return out;
}

// As a machine of its own, with the numbers that its states have in the whole one as their texts.
export function asMachine(found: Near, state: number): { lts: Lts; text: string[]; open: number[]; at: number } {
  const number = new Map(found.states.map((s, i) => [s, i]));
  const own = (s: number | null | undefined): number | null => (s === null || s === undefined ? null : (number.get(s) ?? null));
  const lts: Lts = {
    states: found.states.length,
    alphabet: [...new Set(found.steps.map((s) => s[1]))].sort(),
    steps: found.steps.map(([from, action, to]) => [number.get(from)!, action, number.get(to)!]),
    initial: number.get(0) ?? -1,
    error: own(found.error),
    end: own(found.end),
  };
  if (found.names !== undefined && found.names.some((n) => n !== null)) lts.names = found.names;
  const text = found.states.map((s) => (s === found.error ? "ERR" : s === found.end ? "END" : String(s)));
  return { lts, text, open: (found.rim ?? []).map((s) => number.get(s)!), at: number.get(state)! };
}
