// What an editor asks the language process: what a name is, where it is defined and used, what could stand here.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView, Tooltip } from "@codemirror/view";
import { askModel, say } from "../actions";
import { hasModel } from "../language";
import { state } from "../store";
import type { Range } from "../types";
import { offsetOf, positionOf } from "./places";

const isAsked = (): boolean => state.doc !== undefined && hasModel(state.doc.language);

export async function hover(view: EditorView, at: number): Promise<Tooltip | null> {
  const word = view.state.wordAt(at);
  if (word === null || !isAsked()) return null;
  const reply = await askModel<{ contents: { value: string } } | null>("textDocument/hover", {
    position: positionOf(view.state.doc, at),
  }).catch(() => null);
  if (reply === null) return null;
  return {
    pos: word.from,
    end: word.to,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "hover-text";
      dom.textContent = reply.contents.value;
      return { dom };
    },
  };
}

interface Location {
  uri: string;
  range: Range;
}

export async function goToDefinition(view: EditorView, at = view.state.selection.main.head): Promise<void> {
  if (!isAsked()) return;
  try {
    const found = await askModel<Location | null>("textDocument/definition", { position: positionOf(view.state.doc, at) });
    if (found === null) {
      say("no definition is known of this");
      return;
    }
    const doc = state.doc!;
    const path = decodeURIComponent(found.uri.replace(/^[a-z]+:\/\//, ""));
    if (!path.endsWith("/" + doc.path.replace(/^[a-z]+:/, "")) && path.split("/").pop() !== doc.path.split(/[/:]/).pop()) {
      say(`it is defined in ${path}, line ${found.range.start.line + 1}`);
      return;
    }
    const offset = offsetOf(view.state.doc, found.range.start);
    view.dispatch({ selection: { anchor: offset }, scrollIntoView: true });
    view.focus();
  } catch (e) {
    say(e instanceof Error ? e.message : String(e), "error");
  }
}

export async function references(view: EditorView): Promise<{ word: string; lines: { line: number; text: string }[] } | undefined> {
  if (!isAsked()) return undefined;
  const at = view.state.selection.main.head;
  const word = view.state.wordAt(at);
  if (word === null) return undefined;
  const doc = view.state.doc;
  const found = await askModel<Location[] | null>("textDocument/references", { position: positionOf(doc, at) }).catch(() => null);
  const lines = (found ?? []).map((l) => l.range.start.line + 1).filter((n) => n <= doc.lines);
  return {
    word: doc.sliceString(word.from, word.to),
    lines: [...new Set(lines)].sort((a, b) => a - b).map((n) => ({ line: n, text: doc.line(n).text.trim() })),
  };
}

const kKinds: Record<string, string> = { process: "class", composite: "class", property: "property", const: "constant", range: "type", set: "type" };

export async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if ((word === null && !context.explicit) || !isAsked()) return null;
  const from = word?.from ?? context.pos;
  const items = await askModel<{ label: string; detail?: string }[] | null>("textDocument/completion", {
    position: positionOf(context.state.doc, context.pos),
  }).catch(() => null);
  if (items === null) return null;
  const options = items
    .filter((i) => i.label !== word?.text || i.detail !== undefined)
    .map((i): Completion => {
      const type = kKinds[i.detail?.split(" ")[0] ?? ""];
      return { label: i.label, ...(i.detail === undefined ? {} : { detail: i.detail }), ...(type === undefined ? {} : { type }) };
    });
  return { from, options, validFor: /^\w*$/ };
}
