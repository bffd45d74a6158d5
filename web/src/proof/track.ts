// A lane as steps that can be played, one after the other, in rows: the conjectures of each assumption, the refinements
// of each component, the components that were taken in.
import type { Conjecture, Lane, Refinement, TakenIn } from "../recording";
import { answerTo, assumptionsOf, epochsOf } from "./epochs";
import type { Epoch } from "./epochs";
import { plural } from "../format";
import { assumptionName } from "./words";

export interface Cell {
  index: number; // of all steps of the lane
  text: string;
  oracle: 0 | 1 | 2; // that decided; 0: none
  end?: "holds" | "violated";
  title: string;
  skipped: number; // so many before it were not told
}

export interface Group {
  head?: string; // "+ exec.lock"
  label: string; // for those who do not see the row
  cells: Cell[];
}

export interface Row {
  name: string; // "": the only one
  about: string;
  groups: Group[];
}

export interface Track {
  kind: "conjectures" | "refinements" | "taken in" | "nothing";
  rows: Row[];
  length: number;
  epochs: Map<number, Epoch[]>; // by assumption
}

export function trackOf(lane: Lane, method: string, names: readonly string[]): Track {
  if (lane.conjectures.length > 0) return conjectures(lane, method, names);
  if (lane.refined.length > 0) return refinements(lane, names);
  if (lane.takenIn.length > 0) return takenIn(lane);
  return { kind: "nothing", rows: [], length: 0, epochs: new Map() };
}

export const spell = (actions: readonly number[], names: readonly string[]): string =>
  actions.map((a) => names[a] ?? `#${a}`).join(", ");

function conjectures(lane: Lane, method: string, names: readonly string[]): Track {
  const assumptions = assumptionsOf(lane);
  const nested = method === "asym-n";
  const epochs = new Map<number, Epoch[]>();
  const rows = assumptions.map((assumption): Row => {
    const its = epochsOf(lane, assumption, nested);
    epochs.set(assumption, its);
    const name = assumptions.length > 1 ? assumptionName(method, assumption, assumptions.length) : "";
    const groups = its.map((epoch, i): Group => {
      const added = spell(epoch.added, names);
      const first = epoch.alphabet.length === 0 ? "∅" : plural(epoch.alphabet.length, "action");
      const head = i === 0 ? first : epoch.again ? "again" : `+ ${added}`;
      const label = i === 0 ? `over ${first === "∅" ? "no action" : first}` : epoch.again ? "learned again" : `with ${added}`;
      return { head, label, cells: epoch.cells.map((c) => conjectureCell(lane, c, method)) };
    });
    const side = lane.split?.[assumption - 1];
    return { name, about: side === undefined ? "" : side.join(", "), groups };
  });
  return { kind: "conjectures", rows, length: lane.conjectures.length, epochs };
}

function conjectureCell(lane: Lane, c: Conjecture, method: string): Cell {
  const answer = answerTo(lane, c);
  const oracle = answer === undefined ? 0 : method === "circular" && answer.assumption === 0 ? 2 : answer.oracle === 2 ? 2 : 1;
  const result = answer === undefined ? "not judged" : `oracle ${answer.oracle}: ${answer.result}`;
  return {
    index: c.index,
    text: String(c.lts.states),
    oracle,
    ...(answer?.result === "holds" || answer?.result === "violated" ? { end: answer.result } : {}),
    title: `conjecture ${c.index + 1}: ${plural(c.lts.states, "state")}, ${result}`,
    skipped: c.skipped,
  };
}

// A component may begin again with one block: another property of those that imply the whole one, or a larger limit.
function refinements(lane: Lane, names: readonly string[]): Track {
  const rows = new Map<string, Row>();
  lane.refined.forEach((r, index) => {
    let row = rows.get(r.component);
    if (row === undefined) rows.set(r.component, (row = { name: r.component, about: "", groups: [] }));
    const before = row.groups.at(-1)?.cells.at(-1);
    const last = before === undefined ? undefined : lane.refined[before.index];
    if (last === undefined || last.conjunct !== r.conjunct || r.before < last.after || r.before === 1)
      row.groups.push({
        ...(r.conjunct > 0 ? { head: `part ${r.conjunct}` } : row.groups.length > 0 ? { head: "again" } : {}),
        label: `${r.component}${r.conjunct > 0 ? `, part ${r.conjunct} of the property` : ""}`,
        cells: [],
      });
    row.groups.at(-1)!.cells.push(refinementCell(r, index, names));
  });
  return { kind: "refinements", rows: [...rows.values()], length: lane.refined.length, epochs: new Map() };
}

function refinementCell(r: Refinement, index: number, names: readonly string[]): Cell {
  return {
    index,
    text: String(r.after),
    oracle: 0,
    // Words can be long, there may be thousands of them, and few cells are shown.
    get title() {
      return `refinement ${index + 1}: ${r.component} from ${r.before} to ${plural(r.after, "block")}, for ${spell(r.word, names)}`;
    },
    skipped: r.skipped,
  };
}

// Minimisation takes components in from the property on; where a counterexample of some needs others, it begins again.
export interface Chain {
  size?: number;
  conjunct: number;
  links: (TakenIn & { index: number })[];
}

export function chainsOf(lane: Lane): Chain[] {
  const chains: Chain[] = [];
  lane.takenIn.forEach((taken, index) => {
    const chain = chains.at(-1);
    const last = chain?.links.at(-1);
    // The cell that repeats comes after the last link of the chain of all sizes, and leaves as much as that.
    const goesOn =
      last !== undefined &&
      last.conjunct === taken.conjunct &&
      last.size === taken.size &&
      (taken.left < last.left || (taken.size === undefined && taken.left === 0 && last.left === 0));
    if (chain !== undefined && goesOn) chain.links.push({ ...taken, index });
    else chains.push({ ...(taken.size === undefined ? {} : { size: taken.size }), conjunct: taken.conjunct, links: [{ ...taken, index }] });
  });
  return chains;
}

function takenIn(lane: Lane): Track {
  const chains = chainsOf(lane);
  const rows = chains.map((chain, i): Row => {
    const name = chain.size !== undefined ? `size ${chain.size}` : chains.length > 1 ? `try ${i + 1}` : "";
    const cells = chain.links.map((link): Cell => ({
      index: link.index,
      text: String(link.reduced),
      oracle: 0,
      ...(link.reduced === 0 ? { end: "holds" as const } : {}),
      title: `${link.component}: a product of ${plural(link.product, "state")}, reduced to ${link.reduced}`,
      skipped: 0,
    }));
    return { name, about: "", groups: [{ label: name === "" ? "components" : name, cells }] };
  });
  return { kind: "taken in", rows, length: lane.takenIn.length, epochs: new Map() };
}
