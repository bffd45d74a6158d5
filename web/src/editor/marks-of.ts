// Which signs, buttons and lines the state of the page puts beside the text.
import { runRow, setSystem, showMachine, showPanel } from "../actions";
import { lookOf } from "../rows";
import type { Look } from "../rows";
import { runAll } from "../runs";
import { change, state, presentWalk } from "../store";
import type { Row, State, Walk } from "../store";
import type { Place } from "../types";
import type { LensAction, LineMark, Marks } from "./marks";

export const kSigns: Record<Look, string> = {
  "not run": "·",
  waiting: "…",
  running: "◌",
  holds: "✓",
  violated: "✗",
  unknown: "?",
  stale: "≈",
};
const kWorst: Look[] = ["violated", "unknown", "running", "waiting", "stale", "holds", "not run"];

const fileName = (path: string): string => path.split(/[/:]/).pop()!;

// Whether a place is in the document; what is included from elsewhere has no line here.
export const isHere = (s: State, place: Place | undefined): boolean =>
  place?.line !== undefined && s.doc !== undefined && (place.file === undefined || fileName(place.file) === fileName(s.doc.path));

// The lines that the shown step is in. Of a program: that of who acts, and of who takes part in a rendezvous; of processes
// in FSP: where those that take part stood before it.
export function linesOfStep(walk: Walk | undefined): number[] {
  if (walk === undefined || walk.at === 0) return [];
  const by = walk.moments[walk.at]?.by;
  const stood = (walk.moments[walk.at - 1]?.components ?? []).filter((c) => by?.who?.includes(c.name));
  const lines = by?.line === undefined ? stood.map((c) => c.line) : [by.line, by.with?.line];
  return [...new Set(lines.filter((l) => l !== undefined))];
}

async function checkWhole(name: string): Promise<void> {
  const path = state.doc?.path;
  if (state.model?.system?.system !== name) await setSystem(name);
  if (state.doc?.path === path && state.model?.system?.system === name) await runAll();
}

function ofRows(rows: Row[]): LineMark {
  const looks = rows.map((r) => lookOf(state, r));
  const worst = kWorst.find((w) => looks.includes(w)) ?? "not run";
  const names = rows.length > 3 ? `${rows[0]!.name} and ${rows.length - 1} more` : rows.map((r) => r.name).join(", ");
  const actions: LensAction[] = [
    { title: `check ${names}`, text: "check", run: () => rows.forEach((r) => runRow(r.id)) },
  ];
  const machine = state.model?.system?.properties.find((p) => p.name === rows[0]!.name);
  if (machine !== undefined) actions.push({ title: `draw ${machine.name}`, text: "draw", run: () => showMachine(machine.name) });
  return {
    line: rows[0]!.place!.line!,
    actions,
    ...(worst === "not run" ? {} : { sign: { text: kSigns[worst], kind: worst, title: `${names}: ${worst}` } }),
  };
}

export function marksNow(): Marks {
  const lines: LineMark[] = [];
  const isNow = state.model !== undefined && state.model.version === state.doc?.version;
  const byLine = new Map<number, Row[]>();
  for (const row of state.rows)
    if (isHere(state, row.place)) byLine.set(row.place!.line!, [...(byLine.get(row.place!.line!) ?? []), row]);
  if (isNow) {
    for (const rows of byLine.values()) lines.push(ofRows(rows));
    for (const symbol of state.model?.symbols ?? []) {
      const line = symbol.range.start.line + 1;
      const name = symbol.name;
      if (symbol.kind === 2) {
        const actions: LensAction[] = [
          { title: `check all of ${name}`, text: "check", run: () => void checkWhole(name) },
          { title: `draw ${name}`, text: "draw", run: () => showMachine(name) },
          {
            title: `animate ${name}`,
            text: "animate",
            run: () => {
              if (state.model?.system?.system !== name) void setSystem(name);
              change((s) => (s.view = "checks"));
              showPanel("animate");
            },
          },
        ];
        lines.push({ line, actions });
      } else if (symbol.kind === 5 && state.doc?.language === "fsp") {
        lines.push({ line, actions: [{ title: `draw ${name}`, text: "draw", run: () => showMachine(name) }] });
      }
    }
  }
  return { lines, here: linesOfStep(presentWalk(state)) };
}
