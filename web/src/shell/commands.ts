// Everything that can be done from the keyboard: one list, of which the palette, the help and the keys are made.
import {
  abortAll,
  openFile,
  refreshFiles,
  runAll,
  runRow,
  saveFile,
  setSystem,
  showMachine,
  showPanel,
  showRow,
  showTrace,
} from "../actions";
import { discardDraft } from "../document";
import { hasModel } from "../language";
import { editorCommand } from "../editor/commands";
import { allSymbols } from "../editor/places";
import { kPanels } from "../panels/all";
import { anyRunning } from "../runs";
import { change, state } from "../store";
import { copyText } from "../hand-out";
import { focusPanel } from "./focus-panel";
import { nextScheme } from "./scheme";

export interface Command {
  title: string;
  keys?: string; // "Ctrl-Shift-Enter": as it is shown, and as it is heard
  group: string;
  run: () => void;
  is?: () => boolean; // whether it can be done now
}

const hasDoc = () => state.doc !== undefined;
const hasRows = () => state.rows.length > 0;
const hasModelOpen = () => state.doc !== undefined && hasModel(state.doc.language);

const kFixed: Command[] = [
  { title: "Check all", keys: "Ctrl-Enter", group: "Checks", run: () => void runAll(), is: hasModelOpen },
  { title: "Check what the cursor is in", keys: "Ctrl-Shift-Enter", group: "Checks", run: () => editorCommand("check"), is: hasRows },
  { title: "Abort all", keys: "Esc", group: "Checks", run: abortAll, is: anyRunning },
  { title: "How checks are done", keys: "Alt-H", group: "Checks", run: toggleHow, is: hasDoc },
  { title: "Save", keys: "Ctrl-S", group: "File", run: () => void saveFile(), is: hasDoc },
  { title: "New file…", group: "File", run: () => change((s) => (s.dialog = "new-file")), is: () => state.hello?.read_only !== true },
  { title: "Save as…", group: "File", run: () => change((s) => (s.dialog = "save-as")), is: hasDoc },
  { title: "Throw the draft away", group: "File", run: () => void discardDraft(), is: () => state.doc !== undefined && state.doc.text !== state.doc.saved },
  { title: "Look for files again", group: "File", run: () => void refreshFiles() },
  { title: "Copy the command line", group: "File", run: () => copyText(state.commandLine ?? "", "the command line"), is: () => state.commandLine !== undefined },
  { title: "Copy a link to this view", group: "File", run: () => copyText(location.href, "the link"), is: hasDoc },
  { title: "Go to definition", keys: "F12", group: "Text", run: () => editorCommand("definition"), is: hasDoc },
  { title: "Find references", keys: "Shift-F12", group: "Text", run: () => editorCommand("references"), is: hasDoc },
  { title: "Quick fix", keys: "Ctrl-.", group: "Text", run: () => editorCommand("fix"), is: hasDoc },
  { title: "Next problem", keys: "F8", group: "Text", run: () => editorCommand("problem"), is: hasDoc },
  { title: "Find in the text", keys: "Ctrl-F", group: "Text", run: () => editorCommand("find"), is: hasDoc },
  { title: "Go to the text", keys: "Alt-E", group: "Window", run: () => editorCommand("focus"), is: hasDoc },
  { title: "Go to the files", keys: "Alt-F", group: "Window", run: () => focusFirst("#side"), is: () => true },
  { title: "Go to the checks", keys: "Alt-C", group: "Window", run: () => focusFirst("#checks"), is: () => true },
  { title: "Light, dark, or as the system has it", group: "Window", run: nextScheme },
  { title: "All commands", keys: "Ctrl-K", group: "Window", run: () => change((s) => (s.dialog = "palette")) },
  { title: "Help", keys: "?", group: "Window", run: () => change((s) => (s.dialog = "help")) },
];

function focusFirst(where: string): void {
  const view = where === "#side" ? "files" : "checks";
  change((s) => (s.view = view));
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(`${where} button, ${where} summary, ${where} input`)?.focus();
  });
}

// Who opens it by the keyboard wants to choose something in it.
function toggleHow(): void {
  change((s) => {
    s.howOpen = !s.howOpen;
    s.view = "checks";
  });
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(state.howOpen ? "#checks .how select" : "#checks header button")?.focus();
  });
}

const panelCommands: Command[] = kPanels.map((p, i) => ({
  title: `Show ${p.title}`,
  keys: `Alt-${i + 1}`,
  group: "Panels",
  run: () => {
    change((s) => (s.view = "checks"));
    showPanel(p.name);
    focusPanel();
  },
}));

// With keys of their own; the keys of panels are listed in the help only, the panels hear them.
export const kKeyed: Command[] = [...kFixed, ...panelCommands];

// All there is to choose from now.
export function allCommands(): Command[] {
  const out = kKeyed.filter((c) => c.is === undefined || c.is());
  for (const row of state.rows) {
    out.push({ title: `Check ${row.name}`, group: "Checks", run: () => runRow(row.id) });
    if (row.result?.trace !== undefined)
      out.push({ title: `Trace of ${row.name}`, group: "Checks", run: () => void showTrace(row.id) });
    if (row.job !== undefined)
      out.push({
        title: `Proof of ${row.name}`,
        group: "Checks",
        run: () => {
          showRow(row.id);
          showPanel("proof");
        },
      });
  }
  const system = state.model?.system;
  for (const m of [...(system?.components ?? []), ...(system?.properties ?? [])])
    out.push({ title: `Draw ${m.name}`, group: "Machines", run: () => showMachine(m.name) });
  for (const name of system?.systems ?? [])
    out.push({ title: `System ${name}`, group: "Machines", run: () => void setSystem(name) });
  for (const symbol of allSymbols(state.model?.symbols ?? []))
    out.push({ title: `Go to ${symbol.name}`, group: "Text", run: () => editorCommand("goto", symbol.range.start) });
  for (const f of state.files) out.push({ title: `Open ${f.path}`, group: "Files", run: () => void openFile(f.path) });
  for (const e of state.hello?.examples ?? [])
    out.push({ title: `Open ${e.path}`, group: "Examples", run: () => void openFile(e.path) });
  return out;
}
