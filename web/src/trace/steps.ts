// The steps of a walk, in one form: who takes part, what changed, what is broken, where in the text. Moment i + 1 comes
// after step i; steps are numbered from 1, as moments are from 0.
import type { Walk } from "../store";
import type { Changed, Moment, Move, SystemOf } from "../types";

export interface Change extends Changed {
  kind: "state" | "property" | "flip";
}

export interface Statement {
  process?: string;
  line?: number;
  text: string;
}

export interface WalkStep {
  n: number; // the moment that it leads to
  action: string;
  who: string[]; // components or processes, and properties that see it
  violates: string[];
  error?: string;
  changes: Change[];
  statements: Statement[];
  hidden: boolean;
}

// The move that has been taken between two moments.
function moveOf(before: Moment, after: Moment): Move | undefined {
  if (after.by !== undefined) return after.by;
  const same = before.moves?.filter((m) => m.action === before.taken) ?? [];
  return same.find((m) => m.to === after.state) ?? same[0];
}

const differences = (
  before: Record<string, string> | undefined,
  after: Record<string, string> | undefined,
  kind: Change["kind"],
): Change[] =>
  Object.entries(after ?? {})
    .filter(([name, to]) => before !== undefined && before[name] !== undefined && before[name] !== to)
    .map(([name, to]) => ({ name, from: before![name]!, to, kind }));

const watchersOf = (m: Moment): Record<string, string> | undefined =>
  m.watchers === undefined ? m.properties : Object.fromEntries(m.watchers.map((w) => [w.name, w.violated ? "violated" : w.at]));

// What is another one after a step: states and values, then properties, then what fluents and assertions say.
export function changes(before: Moment, after: Moment): Change[] {
  const states: Change[] = after.changed?.map((c) => ({ ...c, kind: "state" })) ?? differences(before.values, after.values, "state");
  const properties = differences(watchersOf(before), watchersOf(after), "property");
  const flips: Change[] = after.flipped?.map((c) => ({ ...c, kind: "flip" })) ?? differences(before.watch, after.watch, "flip");
  const told = new Set(flips.map((f) => f.name.replace(/^property /, "")));
  return [...states, ...properties.filter((p) => !told.has(p.name)), ...flips];
}

function statementsOf(move: Move | undefined, step: { process?: string; line?: number; statement?: string } | undefined): Statement[] {
  const out: Statement[] = [];
  const add = (s: { process?: string; line?: number; statement?: string } | undefined): void => {
    if (s === undefined || (s.statement === undefined && s.line === undefined)) return;
    out.push({ text: s.statement ?? "", ...(s.process === undefined ? {} : { process: s.process }), ...(s.line === undefined ? {} : { line: s.line }) });
  };
  add(move?.statement !== undefined || move?.line !== undefined ? move : step);
  add(move?.with ?? (step as Move | undefined)?.with);
  return out;
}

export function stepsOf(walk: Walk, system: SystemOf | undefined): WalkStep[] {
  const out: WalkStep[] = [];
  const properties = new Set(system?.properties.map((p) => p.name));
  for (let i = 1; i < walk.moments.length; ++i) {
    const [before, after] = [walk.moments[i - 1]!, walk.moments[i]!];
    const move = moveOf(before, after);
    const action = before.taken ?? move?.action ?? "?";
    // Silent steps that a trace lacks have come by themselves: moments have the numbers of its own steps.
    const number = walk.origin === "trace" ? after.step : undefined;
    const told = number === undefined ? undefined : walk.result?.steps?.[number - 1];
    const who = [...(move?.who ?? (number === undefined ? [] : (walk.result?.participants?.[number - 1] ?? [])))];
    if (who.length === 0 && move?.process !== undefined) who.push(move.process);
    if (move?.with !== undefined && !who.includes(move.with.process)) who.push(move.with.process);
    // Properties see what is in their alphabets.
    for (const name of system?.actions[action] ?? []) if (properties.has(name) && !who.includes(name)) who.push(name);
    // A trace shows how one property is violated; that others are, too, is said among what changes.
    const shown = walk.origin === "trace" && walk.result?.kind === "safety" ? walk.result.property : undefined;
    const violates = (after.violates ?? move?.violates ?? []).filter((p) => shown === undefined || p === shown);
    const error = after.error ?? move?.error;
    out.push({
      n: i,
      action,
      who,
      violates,
      ...(error === undefined ? {} : { error }),
      changes: changes(before, after),
      statements: statementsOf(move, told),
      hidden: move?.hidden ?? false,
    });
  }
  return breaking(walk, out);
}

// A trace that breaks a safety property does so with its last step. Of programs nobody else says so: their properties are
// not walked through beside them.
function breaking(walk: Walk, steps: WalkStep[]): WalkStep[] {
  const { result } = walk;
  const last = steps.at(-1);
  if (walk.origin !== "trace" || result?.kind !== "safety" || result.verdict !== "violated" || last === undefined) return steps;
  const isWhole = walk.moments.at(-1)!.step === result.trace?.length;
  if (isWhole && result.property !== undefined && steps.every((s) => s.violates.length === 0)) last.violates.push(result.property);
  return steps;
}

// What a step is called: a silent one of a program by its statement.
export const labelOf = (step: WalkStep): string =>
  step.action === "tau" && step.statements[0] !== undefined ? step.statements[0].text || "tau" : step.action;

export const sayChange = (c: Change): string =>
  c.kind === "state" ? `${c.name} ${c.from} → ${c.to}` : `${c.name}: ${c.from} → ${c.to}`;

export const sayStatement = (s: Statement): string =>
  [s.process, s.line === undefined ? undefined : `line ${s.line}`, s.text].filter((t) => t !== undefined && t !== "").join(" ");

// What is wrong with a step, in words.
export function wrong(step: WalkStep): string | undefined {
  if (step.violates.length > 0) return `violates ${step.violates.join(", ")}`;
  return step.error;
}
