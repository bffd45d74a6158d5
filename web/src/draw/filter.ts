// Steps that a filter leaves.

export type StepOf = [from: number, action: string, to: number];

// What the filter means: a number is a state, anything else a part of a name.
export function filterOf(text: string): { state?: number; part?: string } {
  const trimmed = text.trim();
  if (trimmed === "") return {};
  return /^\d+$/.test(trimmed) ? { state: Number(trimmed) } : { part: trimmed };
}

export function matching(steps: readonly StepOf[], text: string): readonly StepOf[] {
  const { state, part } = filterOf(text);
  if (state !== undefined) return steps.filter(([from, , to]) => from === state || to === state);
  if (part !== undefined) return steps.filter(([, action]) => action.includes(part));
  return steps;
}
