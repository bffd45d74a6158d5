// What stands beside and behind the lines: the sign of the verdict beside a property, the buttons of a lens behind it, and
// the line of the program that the shown step of a trace is in.
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import type { Extension, Text } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutter } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";

export interface LensAction {
  title: string; // what a screen reader says
  text: string; // what is shown
  run: () => void;
}
export interface LineMark {
  line: number; // from 1
  sign?: { text: string; kind: string; title: string };
  actions?: LensAction[];
}
export interface Marks {
  lines: LineMark[];
  here: number[]; // lines of the shown step
}

export const setMarks = StateEffect.define<Marks>();

class LensWidget extends WidgetType {
  constructor(readonly actions: LensAction[]) {
    super();
  }
  override eq(other: LensWidget): boolean {
    return this.actions.map((a) => a.title).join("\n") === other.actions.map((a) => a.title).join("\n");
  }
  override toDOM(): HTMLElement {
    const span = document.createElement("span");
    span.className = "lens";
    for (const action of this.actions) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `▸ ${action.text}`;
      button.setAttribute("aria-label", action.title);
      button.addEventListener("click", (e) => {
        e.preventDefault();
        action.run();
      });
      span.append(button);
    }
    return span;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

class SignMarker extends GutterMarker {
  constructor(
    readonly text: string,
    readonly kind: string,
    readonly title: string,
  ) {
    super();
  }
  override eq(other: SignMarker): boolean {
    return this.text === other.text && this.title === other.title;
  }
  override toDOM(): Node {
    const span = document.createElement("span");
    span.className = `sign ${this.kind}`;
    span.textContent = this.text;
    span.title = this.title;
    return span;
  }
}

const lineHere = Decoration.line({ class: "line-of-step" });

// Marks are of the text as it was; they move with it until the next ones come.
interface Held {
  decorations: DecorationSet;
  signs: { from: number; marker: SignMarker }[];
}

function build(doc: Text, marks: Marks): Held {
  const decorations: { at: number; side: number; deco: Decoration }[] = [];
  const signs: Held["signs"] = [];
  for (const mark of marks.lines) {
    if (mark.line < 1 || mark.line > doc.lines) continue;
    const line = doc.line(mark.line);
    if (mark.actions !== undefined && mark.actions.length > 0)
      decorations.push({ at: line.to, side: 1, deco: Decoration.widget({ widget: new LensWidget(mark.actions), side: 1 }) });
    if (mark.sign !== undefined)
      signs.push({ from: line.from, marker: new SignMarker(mark.sign.text, mark.sign.kind, mark.sign.title) });
  }
  for (const n of new Set(marks.here))
    if (n >= 1 && n <= doc.lines) decorations.push({ at: doc.line(n).from, side: -1, deco: lineHere });
  decorations.sort((a, b) => a.at - b.at || a.side - b.side);
  const builder = new RangeSetBuilder<Decoration>();
  for (const { at, deco } of decorations) builder.add(at, at, deco);
  signs.sort((a, b) => a.from - b.from);
  return { decorations: builder.finish(), signs };
}

const held = StateField.define<Held>({
  create: () => ({ decorations: Decoration.none, signs: [] }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return build(transaction.state.doc, effect.value);
    if (!transaction.docChanged) return value;
    return {
      decorations: value.decorations.map(transaction.changes),
      signs: value.signs.map((s) => ({ from: transaction.changes.mapPos(s.from), marker: s.marker })),
    };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});

export const marks: Extension = [
  held,
  gutter({
    class: "cm-signs",
    lineMarker: (view, line) => view.state.field(held).signs.find((s) => s.from === line.from)?.marker ?? null,
    lineMarkerChange: (update) => update.transactions.some((t) => t.effects.some((e) => e.is(setMarks))),
    initialSpacer: () => new SignMarker("✓", "holds", ""),
  }),
];
