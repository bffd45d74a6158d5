// Random numbers that are the same in every run (SURETY_SEED takes others), and random machines from them.
import type { Lts } from "../src/types";

export function random(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + Number(process.env["SURETY_SEED"] ?? 0)) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0; // mulberry32
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

// Deterministic, all states reachable, actions from 1 on.
export function randomMachine(next: (below: number) => number, most = 8): Lts<number> {
  const states = 1 + next(most);
  const letters = 1 + next(4);
  const steps: [number, number, number][] = [];
  for (let from = 0; from < states; ++from)
    for (let action = 1; action <= letters; ++action) if (next(4) > 0) steps.push([from, action, next(states)]);
  return reachable({ states, alphabet: Array.from({ length: letters }, (_, i) => i + 1), steps });
}

export function reachable(lts: Lts<number>): Lts<number> {
  const number = new Map([[0, 0]]);
  const order = [0];
  for (let i = 0; i < order.length; ++i)
    for (const [from, , to] of lts.steps!)
      if (from === order[i] && !number.has(to)) {
        number.set(to, order.length);
        order.push(to);
      }
  const steps = lts.steps!.filter(([from]) => number.has(from)).map(([f, a, t]): [number, number, number] => [number.get(f)!, a, number.get(t)!]);
  return { ...lts, states: order.length, steps };
}

// The same machine with other numbers; the initial state stays 0.
export function renumbered(lts: Lts<number>, next: (below: number) => number): { lts: Lts<number>; to: number[] } {
  const rest = Array.from({ length: Math.max(0, lts.states - 1) }, (_, i) => i + 1);
  for (let i = rest.length - 1; i > 0; --i) {
    const j = next(i + 1);
    [rest[i], rest[j]] = [rest[j]!, rest[i]!];
  }
  const to = [0, ...rest];
  const steps = lts.steps!.map(([f, a, t]): [number, number, number] => [to[f]!, a, to[t]!]);
  return { lts: { ...lts, steps }, to };
}

// Where a word leads, or nothing.
export function run(lts: Lts<number>, word: readonly number[]): number | undefined {
  let state: number | undefined = lts.states > 0 ? 0 : undefined;
  for (const action of word) state = lts.steps!.find(([f, a]) => f === state && a === action)?.[2];
  return state;
}
