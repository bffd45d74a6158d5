// What a panel remembers while another one is shown: a value with a name, as long as the page is open.
import { useEffect, useState } from "preact/hooks";

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

// For who is not shown now: the panel finds it when it is.
export function keep(name: string, value: unknown): void {
  kept.set(name, value);
}
