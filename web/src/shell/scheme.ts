// Light, dark, or what the system has; kept for the next time.
import { change, state } from "../store";
import type { State } from "../store";

const kKey = "surety-scheme";
const kOrder: State["scheme"][] = ["auto", "light", "dark"];

function show(scheme: State["scheme"]): void {
  if (scheme === "auto") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}

export function takeScheme(): void {
  const kept = localStorage.getItem(kKey) as State["scheme"] | null;
  const scheme = kept !== null && kOrder.includes(kept) ? kept : "auto";
  change((s) => (s.scheme = scheme));
  show(scheme);
}

export function nextScheme(): void {
  const scheme = kOrder[(kOrder.indexOf(state.scheme) + 1) % kOrder.length]!;
  localStorage.setItem(kKey, scheme);
  change((s) => (s.scheme = scheme));
  show(scheme);
}
