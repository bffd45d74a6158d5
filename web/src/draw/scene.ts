// What the two ways to draw (svg.ts, canvas.ts) have in common: how large states are, what is written in and about them.
import { kRadius } from "./dot";
import type { Size } from "./dot";
import type { Arc, Graph } from "./graph";
import { textWidth } from "./measure";

export interface Writing {
  text?: readonly string[]; // in the states, instead of their numbers
  names?: readonly (string | null)[]; // what the model calls them
  marked?: ReadonlySet<number>;
  fresh?: ReadonlySet<number>; // states that the machine before did not have
  open?: ReadonlySet<number>; // have neighbours that are not drawn
  pinned?: ReadonlySet<number>;
}

const kMostLetters = 28;

// Of a long name its beginning and its end: "CUSTOMER after a -> b -> c" is where c has led to.
export function shortened(name: string): string {
  if (name.length <= kMostLetters) return name;
  const last = name.slice(name.lastIndexOf(" -> ") + 4);
  const first = name.slice(0, name.indexOf(" after ") + 6);
  if (name.includes(" after ") && name.includes(" -> ") && first.length + last.length < kMostLetters) return `${first} … ${last}`;
  return name.slice(0, kMostLetters - 1) + "…";
}

export function stateText(graph: Graph, writing: Writing, state: number): string {
  const given = writing.text?.[state];
  if (given !== undefined) return shortened(given);
  if (state === graph.error) return "ERR";
  if (state === graph.end) return "END";
  return String(state);
}

export function stateSize(graph: Graph, writing: Writing, state: number): Size {
  const text = textWidth(stateText(graph, writing, state));
  const wide = text + 12;
  return text <= 2 * kRadius - 5 ? { w: 2 * kRadius, h: 2 * kRadius } : { w: Math.max(wide, 2 * kRadius + 4), h: 2 * kRadius };
}

const kOf: Record<Arc["kind"], string> = { plain: "", new: ", new", moved: ", leads elsewhere now", going: ", will go" };

export function sayArc(arc: Arc, text: (state: number) => string, most = 8): string {
  const more = arc.actions.length - most;
  const actions = arc.actions.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${actions} ${arc.from === arc.to ? "stays here" : `to ${text(arc.to)}`}${kOf[arc.kind]}`;
}

// What a screen reader says of a state, and the title of one under the pointer.
export function sayState(graph: Graph, writing: Writing, state: number, most = 6): string {
  const text = (s: number): string => stateText(graph, writing, s);
  const what: string[] = [];
  const name = writing.names?.[state];
  what.push(`state ${text(state)}${name && name !== text(state) ? ` ${name}` : ""}`);
  if (state === graph.initial) what.push("initial");
  if (state === graph.error) what.push("error");
  if (state === graph.end) what.push("end");
  if (writing.marked?.has(state)) what.push("present");
  if (writing.fresh?.has(state)) what.push("new");
  if (writing.pinned?.has(state)) what.push("pinned");
  if (writing.open?.has(state)) what.push("has neighbours that are not drawn");
  const leaving = graph.out[state]!;
  if (leaving.length === 0 && state !== graph.error) what.push(state === graph.end ? "no steps" : "no steps: deadlock");
  const steps = leaving.slice(0, most).map((id) => sayArc(graph.arcs[id]!, text, 4));
  if (leaving.length > most) steps.push(`${leaving.length - most} more`);
  return what.join(", ") + (steps.length > 0 ? `: ${steps.join("; ")}` : "");
}
