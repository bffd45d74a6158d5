// All that the page knows, in one object; what changes it says so, and what shows it draws again.
//
// Panels read `state` and call actions (actions.ts), which change it by `change`. Nothing else holds what two panels
// share: the open document, its rows of checks, the runs and their recordings, the walks, and the one cursor.
import { useEffect, useReducer } from "preact/hooks";
import type { Point } from "./panels/points";
import type { Recording } from "./recording";
import { sameSubject, subjectNow } from "./subject";
import type { Subject } from "./subject";
import type {
  CheckResult,
  Diagnostic,
  DocumentSymbol,
  FileEntry,
  Hello,
  Kind,
  Lens,
  Moment,
  Options,
  Place,
  Report,
  SystemOf,
} from "./types";

export type PanelName =
  | "draw"
  | "transitions"
  | "alphabet"
  | "animate"
  | "trace"
  | "proof"
  | "compare"
  | "experiments"
  | "output";

// The file in the editor. `saved` is the text on disk, of which `sha256` is the hash.
export interface Doc {
  path: string;
  language: string; // fsp, promela, ada, aut, json, text
  text: string;
  saved: string;
  sha256: string; // of what the text was written from: if the file is another one now, saving asks
  onDisk: string; // what the file had when it was read or written last, to the byte; in the page lines end with \n
  readOnly: boolean;
  version: number; // goes up with every change of the text
}

// What the language process says of the document; `version` is the text's that it was said of.
export interface Model {
  id: string; // of the process, in /api/models
  version: number;
  diagnostics: Diagnostic[];
  symbols: DocumentSymbol[];
  lenses: Lens[];
  system?: SystemOf; // nothing while the text has errors
}

// A job that the server runs or has run.
export interface Job {
  id: string;
  name: string; // as its server calls it
  lost?: boolean; // its server has ended: what it told is all there is
  command: string;
  commandLine: string;
  path: string;
  text: string; // that it is about
  state: "queued" | "running" | "done";
  options: Options;
  recording: Recording;
  report?: Report;
  signal?: string; // the child crashed
  row?: string;
}

// A line of the list of checks: one property, or deadlock, or error.
export interface Row {
  id: string; // kind and name
  kind: Kind;
  name: string; // as `--property` takes it
  place?: Place;
  inside: boolean; // of the system; others are run only when that is asked for
  job?: string; // the last one
  result?: CheckResult; // the last one that came
  from?: string; // the job that said so
}

// A way through the system: a trace that was found, or one that was walked.
export interface Walk {
  id: string;
  serial: number; // what panels keep is kept for this walk, not for another one in its place
  title: string;
  origin: "trace" | "animate";
  row?: string; // of the check that found it
  moments: Moment[]; // moments[i].taken leads to moments[i + 1]
  at: number; // the cursor: which moment everything shows
  cycleFrom?: number; // the moment that the last one comes back to
  result?: CheckResult; // of the check that found it
  of?: Subject; // what it is a way through
}

// What the Experiments panel has run.
export interface Experiment {
  path: string;
  job?: string;
  runs: number; // that were asked for
  points: Point[];
  isRunning: boolean;
}

export interface State {
  hello?: Hello;
  files: FileEntry[];
  doc?: Doc;
  model?: Model;
  known?: SystemOf; // the last one of the document, while the text has errors, too
  define: Record<string, number | string>; // constants that the user has changed
  system?: string; // chosen; nothing: the default
  how: Options; // method, learner, time ... of the checks
  seed: boolean; // learning starts from the last assumption of the row, if there is one
  rows: Row[];
  selectedRow?: string;
  jobs: Record<string, Job>;
  selectedJob?: string; // whose proof and output are shown
  experiment?: Experiment;
  walks: Walk[];
  walk?: string; // the one that is shown: its `at` is the one cursor
  tracing?: string; // the trace of this check is on its way
  machine?: string; // that Draw, Transitions show
  conjecture?: number; // the proof's cursor: which one of the lane
  panel: PanelName;
  dialog?: "help" | "palette" | "new-file" | "save-as" | "changed";
  howOpen: boolean; // the drawer of the checks
  view: "files" | "text" | "checks"; // in a narrow window, where the columns are tabs
  references?: { word: string; lines: { line: number; text: string }[] }; // as they were asked for
  commandLine?: string; // what the last action was
  message?: { text: string; kind: "info" | "error" };
  server: "starting" | "there" | "gone" | "no-token";
  scheme: "auto" | "light" | "dark";
}

export const state: State = {
  files: [],
  define: {},
  how: { method: "auto", time: "60s" },
  rows: [],
  jobs: {},
  walks: [],
  panel: "draw",
  howOpen: false,
  seed: true,
  view: "text",
  server: "starting",
  scheme: "auto",
};

const listeners = new Set<() => void>();
let scheduled = false;

// Changes the state; what shows it is drawn once per frame at most.
export function change(how: (s: State) => void): void {
  how(state);
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const listener of [...listeners]) listener();
  });
}

export function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// For components: the state, and a new drawing whenever what `part` picks has changed (by identity).
export function useStore<T>(part: (s: State) => T): T {
  const [, again] = useReducer((n: number, _: void) => n + 1, 0);
  const value = part(state);
  useEffect(() => {
    let shown = value;
    const look = () => {
      const now = part(state);
      if (now === shown) return;
      shown = now;
      again();
    };
    look(); // something may have changed between the drawing and this
    return listen(look);
  });
  return value;
}

export const rowOf = (s: State, id = s.selectedRow): Row | undefined => s.rows.find((r) => r.id === id);
export const walkOf = (s: State): Walk | undefined => s.walks.find((w) => w.id === s.walk);
// The shown walk, if it is one through what is in the editor now: its moments have a place there, and it can go on.
export const presentWalk = (s: State): Walk | undefined => {
  const walk = walkOf(s);
  return walk?.of === undefined || sameSubject(walk.of, subjectNow(s)) ? walk : undefined;
};
export const momentOf = (s: State): Moment | undefined => {
  const walk = walkOf(s);
  return walk?.moments[walk.at];
};
export const jobOf = (s: State): Job | undefined => (s.selectedJob === undefined ? undefined : s.jobs[s.selectedJob]);
