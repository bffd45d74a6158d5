// The constants of a system that can be given other values.
import type { SystemOf } from "./types";

// What can be changed: of FSP its constants and the parameters of the system, of Promela and Ada what has a number.
export function changeable(system: SystemOf | undefined): Record<string, number | string> {
  if (system?.defines === undefined) return system?.constants ?? {};
  return Object.fromEntries(system.defines.map((d) => [d.name, d.value]));
}
