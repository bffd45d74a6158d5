// A race as bars: what each lane has come to, in its own unit, and how much it has searched.
import { count, plural } from "../format";
import type { CheckRun, Lane } from "../recording";

export interface Bar {
  lane: number;
  method: string;
  is: Lane["is"];
  result: string; // "" while it runs
  states: number;
  said: string; // "2.1 M states", "154 refinements", "W of 17 states"
  width: number; // of 0 to 1: logarithmic, because searches differ by factors of thousands
}

// Which attempt of the report is about which lane: those that stopped come in the order of lanes, who answered last.
function attempts(check: CheckRun): Map<number, number> {
  const states = new Map<number, number>();
  const left = [...(check.verdict?.attempts ?? [])];
  const lanes = [...check.lanes].sort((a, b) => Number(a.is === "answered") - Number(b.is === "answered") || a.lane - b.lane);
  for (const lane of lanes) {
    const at = left.findIndex((a) => a.method === lane.method);
    if (at >= 0) states.set(lane.lane, left.splice(at, 1)[0]!.max_states);
  }
  return states;
}

function said(lane: Lane, states: number): string {
  const w = lane.takenIn.at(-1);
  if (lane.method === "cegar" && lane.refined.length > 0) return plural(lane.refined.length + lane.skipped, "refinement");
  if (lane.method === "minimise" && w !== undefined) return w.reduced === 0 ? "nothing can fail" : `W of ${plural(w.reduced, "state")}`;
  if (states === 0) return lane.is === "running" ? "running" : "hardly begun";
  return lane.method === "symbolic" ? plural(states, "node") : plural(states, "state");
}

export function barsOf(check: CheckRun): Bar[] {
  const told = attempts(check);
  const lanes = [...check.lanes].filter((l) => l.method !== "").sort((a, b) => a.lane - b.lane);
  const bars = lanes.map((lane): Bar => {
    const states = told.get(lane.lane) ?? lane.profile.at(-1)?.states ?? 0;
    const result = lane.is === "running" ? "" : (lane.result ?? lane.is);
    return { lane: lane.lane, method: lane.method, is: lane.is, result, states, said: said(lane, states), width: 0 };
  });
  const most = Math.max(1, ...bars.map((b) => Math.log10(1 + b.states)));
  for (const bar of bars) bar.width = Math.log10(1 + bar.states) / most;
  return bars;
}

// The lane that is worth seeing first: the one that answered, else the one that has most to show.
export function bestLane(check: CheckRun): Lane | undefined {
  const steps = (l: Lane): number => l.conjectures.length + l.refined.length + l.takenIn.length;
  return (
    check.lanes.find((l) => l.is === "answered") ??
    [...check.lanes].sort((a, b) => steps(b) - steps(a) || b.profile.length - a.profile.length)[0]
  );
}

export const barLabel = (bar: Bar): string => `${bar.said}${bar.result === "" ? "" : `, ${bar.result}`} (${count(bar.states)} searched)`;
