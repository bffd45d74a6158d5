// Who has which action: the rows of the matrix of alphabets.
import type { SystemOf } from "../types";
import { shorten } from "./short";

export interface Sharing {
  machines: { name: string; property: boolean }[];
  rows: { action: string; who: boolean[]; count: number }[]; // `count`: components that have it
}

export function sharing(system: SystemOf): Sharing {
  const machines = [
    ...system.components.map((c) => ({ name: c.name, property: false })),
    ...system.properties.map((p) => ({ name: p.name, property: true })),
  ];
  // Two machines of one name are two columns; `actions` names each as often as it has them.
  const columns = new Map<string, number[]>();
  machines.forEach((m, i) => columns.set(m.name, [...(columns.get(m.name) ?? []), i]));
  const rows = Object.entries(system.actions).map(([action, names]) => {
    const who = machines.map(() => false);
    for (const name of names) for (const i of columns.get(name) ?? []) who[i] = true;
    return { action, who, count: who.filter((there, i) => there && !machines[i]!.property).length };
  });
  return { machines, rows };
}

export interface SharingFilter {
  text: string;
  machine?: number; // only what it has
  shared: boolean; // only what two components have
}

export function filtered(of: Sharing, { text, machine, shared }: SharingFilter): Sharing["rows"] {
  return of.rows.filter(
    (r) => r.action.includes(text) && (machine === undefined || r.who[machine]) && (!shared || r.count >= 2),
  );
}

// The alphabet of a machine in LTSA's short form.
export function shortForm(of: Sharing, machine: number): string[] {
  return shorten(of.rows.filter((r) => r.who[machine]).map((r) => r.action));
}
