// The keys of the window. They are heard before the editor and the panels hear them; only Esc waits: it is for
// the window if none of these has taken it.
import { abortAll } from "../actions";
import { anyRunning } from "../runs";
import { change, state } from "../store";
import { kKeyed } from "./commands";
import { keyName } from "./key-name";

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function hearKeys(): void {
  addEventListener(
    "keydown",
    (e) => {
      const name = keyName(e);
      if (name === "Esc" || state.server !== "there") return;
      if (name === "?" && isText(e.target)) return;
      if (name === "Ctrl-F" && !document.querySelector(".cm-editor.cm-focused")) return; // the browser's
      if (name === "Ctrl-F") return; // the editor's own
      const command = kKeyed.find((c) => c.keys === name);
      if (command === undefined || (state.dialog !== undefined && name !== "Ctrl-K")) return;
      e.preventDefault();
      e.stopPropagation();
      if (command.is === undefined || command.is()) command.run();
    },
    true,
  );
  addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || e.defaultPrevented || state.dialog !== undefined) return;
    if (state.howOpen && !isText(e.target)) change((s) => (s.howOpen = false));
    else if (anyRunning() && !isText(e.target)) abortAll();
    else if (state.message !== undefined) change((s) => (s.message = undefined));
  });
}
