// What the page says to the person: one line, and the states in which nothing else can be said.
import { ApiError } from "./api";
import { Dropped } from "./language";
import { change, state } from "./store";

// What is only good to know goes by itself; an error stays until it is closed.
const kShown = 10_000; // ms

export function say(text: string, kind: "info" | "error" = "info"): void {
  const message = { text, kind };
  change((s) => (s.message = message));
  if (kind === "info") setTimeout(() => state.message === message && change((s) => (s.message = undefined)), kShown);
}

// An action that did not come to its end. That the server is gone, or does not know us, is a state of the page.
export function failed(error: unknown): void {
  if (error instanceof Dropped) return; // nobody waits for it any more
  if (error instanceof ApiError && error.status === 0) change((s) => (s.server = "gone"));
  else if (error instanceof ApiError && error.status === 401) change((s) => (s.server = "no-token"));
  else if (error instanceof ApiError) say(error.hint ? `${error.message} (${error.hint})` : error.message, "error");
  else say(error instanceof Error ? error.message : String(error), "error");
}
