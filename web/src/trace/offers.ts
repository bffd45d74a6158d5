// What can be chosen at a moment: the enabled actions as buttons in groups, a button for each target, with a key each; and
// the other actions, with the reason why they cannot happen now.
import type { Moment, Move, SystemOf } from "../types";

export interface Offer {
  action: string;
  move?: Move; // nothing: it cannot happen now
  key?: string; // of the keyboard
  which?: string; // what tells it from others of the same action
  why?: string; // it cannot happen
  who: string[];
}

export interface Group {
  name: string;
  offers: Offer[];
}

export const kKeys = "123456789abcdeghijklmnopqrstuvwxyz"; // f is for fork

// What two targets differ in: components and their states. `nameOf` knows how a state is called.
function targets(moves: readonly Move[], system: SystemOf | undefined, nameOf: (machine: string, state: number) => string): (string | undefined)[] {
  const tuples = moves.map((m) => (m.to !== undefined && /^\d+(,\d+)*$/.test(m.to) ? m.to.split(",").map(Number) : undefined));
  const machines = [...(system?.components ?? []), ...(system?.properties ?? [])];
  return moves.map((move, i) => {
    if (move.process !== undefined || move.statement !== undefined)
      return [
        move.line === undefined ? undefined : `line ${move.line}`,
        move.action === "tau" ? undefined : move.statement,
        move.with === undefined ? undefined : `with ${move.with.process} ${move.with.statement}`,
      ]
        .filter((t) => t !== undefined)
        .join(" ");
    const mine = tuples[i];
    if (mine === undefined || machines.length !== mine.length) return move.to === undefined ? "ends here" : `way ${i + 1}`;
    const differ = mine.map((_, c) => c).filter((c) => tuples.some((t) => t !== undefined && t[c] !== mine[c]));
    // States of one name have their numbers, too.
    const say = (c: number): string => {
      const name = nameOf(machines[c]!.name, mine[c]!);
      const same = tuples.some((t) => t !== undefined && t[c] !== mine[c] && nameOf(machines[c]!.name, t[c]!) === name);
      return `${machines[c]!.name} → ${name}${same ? ` (${mine[c]})` : ""}`;
    };
    return differ.map(say).join(", ") || `way ${i + 1}`;
  });
}

const isNot = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]} is not ready` : `${names.slice(0, 3).join(", ")}${names.length > 3 ? " and others" : ""} are not ready`;

export interface GroupOptions {
  by: "component" | "menu";
  all: boolean; // also what cannot happen now
  nameOf?: (machine: string, state: number) => string;
}

export function offers(moment: Moment, system: SystemOf | undefined, options: GroupOptions): Group[] {
  const { by, all, nameOf = (_, s) => String(s) } = options;
  const moves = new Map<string, Move[]>();
  for (const move of moment.moves ?? []) {
    const list = moves.get(move.action);
    if (list === undefined) moves.set(move.action, [move]);
    else list.push(move);
  }
  const refused = new Map((moment.refused ?? []).map((r) => [r.action, r]));
  const properties = new Set(system?.properties.map((p) => p.name));
  const known = Object.keys(system?.actions ?? {}).filter((a) => system!.actions[a]!.some((name) => !properties.has(name)));
  // Actions keep their places from moment to moment; what only a program has comes after them.
  const names = [...new Set([...(all ? known : known.filter((a) => moves.has(a))), ...moves.keys()])];
  const groups = new Map<string, Offer[]>();
  const put = (group: string, offer: Offer): void => {
    const list = groups.get(group);
    if (list === undefined) groups.set(group, [offer]);
    else list.push(offer);
  };
  const menus = Object.entries(system?.menus ?? {});
  const menuOf = new Map<string, string>();
  for (const [menu, actions] of menus) for (const a of actions) if (!menuOf.has(a)) menuOf.set(a, menu);
  const first = (action: string, move: Move | undefined): string => {
    if (by === "menu") return menuOf.get(action) ?? "no menu";
    const owner = move?.process ?? move?.who[0] ?? system?.actions[action]?.find((n) => !properties.has(n));
    return owner ?? "the system";
  };
  for (const action of names) {
    const here = moves.get(action) ?? [];
    const whom = system?.actions[action]?.filter((n) => !properties.has(n)) ?? [];
    if (here.length === 0) {
      const r = refused.get(action);
      const why = r?.priority ? "another action goes first" : isNot(r?.by ?? whom);
      put(first(action, undefined), { action, why, who: whom });
      continue;
    }
    const which = here.length > 1 || here[0]!.process !== undefined ? targets(here, system, nameOf) : [undefined];
    here.forEach((move, i) =>
      put(first(action, move), { action, move, which: which[i], who: move.who.length > 0 ? move.who : whom }),
    );
  }
  // Groups in the order of the components, or of the menus.
  const order = by === "menu" ? menus.map(([name]) => name) : (system?.components ?? []).map((c) => c.name);
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const out = [...groups].map(([name, list]) => ({ name, offers: list })).sort((a, b) => rank(a.name) - rank(b.name));
  let k = 0;
  for (const group of out)
    for (const offer of group.offers) if (offer.move !== undefined && k < kKeys.length) offer.key = kKeys[k++];
  return out;
}

export function chosenBy(groups: readonly Group[], key: string): Move | undefined {
  for (const group of groups) for (const offer of group.offers) if (offer.key === key) return offer.move;
  return undefined;
}
