// What was typed and not saved, kept in this browser for each file until it is saved or thrown away: with the hash of what
// it was written from, so that it is known later whether the file is still the same.
import { state } from "./store";
import type { Doc } from "./store";

const kDraft = "surety-draft:";

export interface Draft {
  text: string;
  sha256: string;
}

const keyOf = (path: string): string => `${kDraft}${state.hello?.folder ?? ""}/${path}`;

export function readDraft(path: string): Draft | undefined {
  const kept = localStorage.getItem(keyOf(path));
  const found = kept === null ? null : /^([0-9a-f]{64})\n/.exec(kept);
  return found === null ? undefined : { sha256: found[1]!, text: kept!.slice(found[0].length) };
}

export function dropDraft(path: string): void {
  localStorage.removeItem(keyOf(path));
}

export function keepDraft({ path, text, saved, sha256 }: Doc): void {
  if (text === saved) return dropDraft(path);
  try {
    localStorage.setItem(keyOf(path), `${sha256}\n${text}`);
  } catch {
    // the store of the browser is full: there is no draft then
  }
}
