// What a panel remembers while another one is shown: a value with a name, as long as the page is open.
import { useEffect, useState } from "preact/hooks";
import { state, useStore } from "../store";

const kept = new Map<string, unknown>();

export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  const [, again] = useState(0);
  const value = kept.has(name) ? (kept.get(name) as T) : initial;
  return [
    value,
    (next) => {
      kept.set(name, next);
      again((n) => n + 1);
    },
  ];
}

// A value that follows another one when that has been quiet for a while: a filter that is being typed.
export function useQuiet<T>(value: T, ms = 150): T {
  const [quiet, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return quiet;
}

// What has to do with the names and the states of a model is of the open file: another one has others.
const here = (path: string | undefined, name: string): string => `${path ?? ""}\n${name}`;

export function useKeptHere<T>(name: string, initial: T): [T, (value: T) => void] {
  return useKept(here(useStore((s) => s.doc?.path), name), initial);
}

// For who is not shown now: the panel finds it when it is.
export function keepHere(name: string, value: unknown): void {
  kept.set(here(state.doc?.path, name), value);
}
