// The machines that panels show, asked for once for each text: components, properties, processes, composites, the whole
// system, and the assumptions of the selected row.
import { useEffect, useState } from "preact/hooks";
import { askModel } from "../actions";
import { rowOf, state, useStore } from "../store";
import type { Row } from "../store";
import type { Lts, SystemOf } from "../types";

export const kMinimise = ["", "strong", "weak", "trace", "ltsa"] as const;
export type Minimise = (typeof kMinimise)[number];

export interface Machine extends Lts {
  name: string;
  kind?: string;
  property?: boolean;
  why?: string; // it has become too large
  at_least?: number; // states that were found until then
}

const kMostSteps = 100_000; // of one answer; above that there are pages
const kKept = 60;

const cache = new Map<string, Promise<Machine>>();

// Machines are of one text with one set of constants.
function keyOf(name: string, minimise: Minimise): string | undefined {
  const { model, doc } = state;
  if (model?.system === undefined || doc === undefined) return undefined;
  return [model.id, model.version, doc.path, name, minimise].join("\n");
}

export function machine(name: string, minimise: Minimise = ""): Promise<Machine> {
  const key = keyOf(name, minimise);
  if (key === undefined) return Promise.reject(new Error("no model is open"));
  const known = cache.get(key);
  if (known !== undefined) return known;
  const property = state.model!.system!.properties.some((p) => p.name === name);
  const asked = askModel<Machine>("surety/machine", {
    name,
    steps: kMostSteps,
    ...(minimise === "" ? {} : { minimise }),
    ...(property ? { complete: true } : {}),
  }).then((m) => ({ ...m, name, alphabet: m.alphabet ?? [], states: m.states ?? m.at_least ?? 0 }));
  cache.set(key, asked);
  asked.catch(() => cache.delete(key));
  if (cache.size > kKept) cache.delete(cache.keys().next().value!);
  return asked;
}

const kAssumption = /^assumption (\d+)$/;
export const assumptionName = (index: number): string => `assumption ${index + 1}`;

export const isAssumption = (name: string | undefined): boolean => name !== undefined && kAssumption.test(name);

function assumptionOf(row: Row | undefined, name: string): Machine | undefined {
  const found = kAssumption.exec(name);
  if (!found) return undefined;
  const a = row?.result?.assumptions?.[Number(found[1]) - 1];
  if (a === undefined) return undefined;
  const known = { name, kind: "assumption", states: a.states, transitions: a.transitions, alphabet: a.alphabet };
  return a.lts === undefined ? { ...known, too_large: true } : { ...known, ...a.lts };
}

export interface Asked {
  machine?: Machine;
  trouble?: string;
}

export function useMachine(name: string | undefined, minimise: Minimise = ""): Asked {
  const system = useStore((s) => s.model?.system);
  const row = useStore((s) => rowOf(s));
  const [asked, set] = useState<Asked & { key?: string }>({});
  const key = name === undefined ? undefined : `${name}\n${minimise}`;
  useEffect(() => {
    if (name === undefined || key === undefined) return set({});
    if (isAssumption(name)) {
      const found = assumptionOf(row, name);
      return set({ key, ...(found ? { machine: found } : { trouble: "the selected check has no such assumption" }) });
    }
    if (system === undefined) return;
    let old = false;
    machine(name, minimise).then(
      (m) => old || set({ key, machine: m }),
      (e: Error) => old || set({ key, trouble: e.message }),
    );
    return () => {
      old = true;
    };
  }, [key, system, isAssumption(name) ? row : undefined]);
  return asked.key === key ? asked : {};
}

// What can be chosen, in groups.
export function choices(system: SystemOf | undefined, row: Row | undefined): { group: string; names: string[] }[] {
  const groups: { group: string; names: string[] }[] = [];
  const seen = new Set<string>();
  const add = (group: string, names: string[]): void => {
    const fresh = names.filter((n) => !seen.has(n));
    for (const n of fresh) seen.add(n);
    if (fresh.length > 0) groups.push({ group, names: fresh });
  };
  if (system !== undefined) {
    add("components", system.components.map((c) => c.name));
    add("properties", system.properties.map((p) => p.name));
    add("system", [system.whole]);
    const named = (composite: boolean): string[] =>
      (system.definitions ?? [])
        .filter((d) => (d.kind === "composite") === composite && ["composite", "process"].includes(d.kind))
        .map((d) => d.name);
    add("composites", named(true));
    add("processes", named(false));
  }
  const assumptions = row?.result?.assumptions?.length ?? 0;
  if (assumptions > 0) add(`assumptions of ${row!.name}`, Array.from({ length: assumptions }, (_, i) => assumptionName(i)));
  return groups;
}
