// Which components form which side of a proof: M1, M2, ...; moved one by one, and what the sides then share.
export type Sides = string[][];

// "a,b | c" of the command line. Commas in parentheses or brackets belong to a name.
export function parseSides(text: string): Sides {
  const sides: Sides = [[]];
  let depth = 0;
  let name = "";
  const end = () => {
    if (name.trim() !== "") sides[sides.length - 1]!.push(name.trim());
    name = "";
  };
  for (const c of text) {
    if ("([".includes(c)) ++depth;
    if (")]".includes(c)) --depth;
    if (depth <= 0 && c === ",") end();
    else if (depth <= 0 && c === "|") {
      end();
      sides.push([]);
    } else name += c;
  }
  end();
  return sides;
}

export const sidesText = (sides: Sides): string =>
  sides
    .filter((s) => s.length > 0)
    .map((s) => s.join(","))
    .join(" | ");

// Sides of exactly these components: names that are not there go, and those that were in no side join the last one.
export function fitted(sides: Sides, components: string[]): Sides {
  const out = sides.map((s) => s.filter((n) => components.includes(n)));
  while (out.length < 2) out.push([]);
  const missing = components.filter((n) => !out.some((s) => s.includes(n)));
  out[out.length - 1]!.push(...missing);
  return out;
}

export function moved(sides: Sides, name: string, to: number): Sides {
  const out = sides.map((s) => s.filter((n) => n !== name));
  while (out.length <= to) out.push([]);
  out[to]!.push(name);
  return out;
}

// The actions on which the sides meet: of M2 and on, those that an earlier side or the property has too. `who` says who has
// each action.
export function interfaceOf(sides: Sides, who: Record<string, string[]>, property?: string): string[] {
  const sideOf = new Map<string, number>();
  sides.forEach((s, i) => s.forEach((n) => sideOf.set(n, i)));
  if (property !== undefined) sideOf.set(property, 0);
  return Object.keys(who)
    .filter((action) => {
      const at = new Set(who[action]!.map((n) => sideOf.get(n)).filter((i) => i !== undefined));
      return at.size > 1;
    })
    .sort();
}

// A bound on the states of a side: the product of those of its components, and whether it is more than can be counted.
export function mostStates(side: string[], sizes: Record<string, number>): number {
  return side.reduce((product, n) => product * (sizes[n] ?? 1), 1);
}
