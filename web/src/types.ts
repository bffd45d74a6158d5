// What the server and the language process answer, as the manual has it (JSON, Events, lsp). Names are theirs.

export type Verdict = "holds" | "violated" | "unknown";
export type Kind = "safety" | "error" | "deadlock" | "progress" | "ltl";

export interface Place {
  file?: string;
  line?: number;
  column?: number;
  length?: number;
}

// An LTS: steps are [from, action, to]. In answers actions are names, in events numbers.
export interface Lts<A = string> {
  states: number;
  transitions?: number;
  alphabet: A[];
  steps?: [number, A, number][];
  error?: number | null;
  end?: number | null;
  initial?: number;
  names?: (string | null)[]; // of states, where the text gives them
  lines?: (number | null)[]; // where in the text they are
  too_large?: boolean;
}

// --- /api

export interface Hello {
  tool: string;
  folder: string;
  read_only: boolean;
  spin: boolean;
  cores: number;
  limits: { time_s: number; memory_bytes: number; jobs: number };
  methods: { name: string; about?: string; options: string[] }[];
  examples: { path: string; title: string; about: string; constants: Record<string, number> }[];
  open?: string; // the FILE of the command line
}

export interface FileEntry {
  path: string;
  language: string;
  size: number;
  modified: number;
}

export interface FileText {
  text: string;
  sha256: string;
  read_only: boolean;
}

export type Options = Record<string, string | number | boolean | string[] | Record<string, string | number>>;

export interface JobRequest {
  command: "check" | "compose" | "compare" | "assume" | "certify" | "experiment";
  path: string;
  text?: string;
  options: Options;
}

export interface JobStarted {
  job: string;
  command_line: string;
}

// --- A report of check: one entry per check.

export interface TraceStep {
  action: string;
  process?: string;
  line?: number;
  statement?: string;
  note?: string;
  with?: { process: string; line: number; statement: string; note?: string };
}

export interface Stand {
  process: string;
  at: string;
  line?: number;
  is?: string;
  can?: { action: string; refused_by?: string[] }[];
}

export interface AssumptionOf {
  states: number;
  transitions: number;
  alphabet: string[];
  of?: string[];
  fsp?: string;
  lts?: Lts;
}

export interface CheckResult {
  kind: Kind;
  property?: string;
  verdict: Verdict;
  place?: Place;
  method?: string;
  split?: string[][];
  sides?: { components: { name: string; states: number; transitions: number }[]; states?: number; transitions?: number }[];
  trace?: string[];
  cycle?: string[];
  participants?: string[][];
  steps?: TraceStep[];
  stands?: Stand[];
  starved?: string[];
  fluents?: string[][];
  why?: string;
  known?: string;
  assumptions?: AssumptionOf[];
  note?: string;
  states: number;
  transitions: number;
  max_states: number;
  max_transitions: number;
  queries?: number;
  conjectures?: number;
  attempts?: { method: string; result: string; max_states: number; time_s: number }[];
  certified?: boolean;
  not_certified?: string;
  time_s: number;
  recheck_s?: number;
}

export interface InputError {
  severity: string;
  file?: string;
  line?: number;
  column?: number;
  length?: number;
  message: string;
  hint?: string;
  replacement?: string;
}

export interface Report {
  schema: number;
  verdict?: Verdict;
  system?: string;
  checks?: CheckResult[];
  errors?: InputError[];
  warnings?: string[];
  time_s?: number;
  peak_bytes?: number;
}

// --- Events of a job; actions are numbers, 0 is tau.

interface Base {
  n: number;
  t: number;
  check?: number;
  lane?: number;
  conjunct?: number;
}
export interface Machine {
  name: string;
  states: number;
  transitions: number;
  alphabet: number[];
  place?: Place;
}
export type Told =
  | (Base & { event: "start"; schema: number; tool: string; argv: string[] })
  | (Base & {
      event: "model";
      system: string;
      actions: string[];
      components: Machine[];
      properties: Machine[];
      menus?: Record<string, number[]>;
      constants?: Record<string, number>;
      warnings: string[];
    })
  | (Base & { event: "actions"; from: number; names: string[] })
  | (Base & { event: "plan"; checks: { id: number; kind: Kind; property?: string; place?: Place }[] })
  | (Base & { event: "turn"; time_s: number })
  | (Base & { event: "lane"; method: string; is: "started" | "answered" | "stopped"; result?: string })
  | (Base & { event: "sides"; split: string[][]; interface: number[] })
  | (Base & { event: "conjecture"; k: number; assumption: number; lts: Lts<number>; queries?: number; skipped?: number })
  | (Base & { event: "asked"; k: number; assumption: number; oracle: number })
  | (Base & {
      event: "answered";
      k: number;
      assumption: number;
      oracle: number;
      result: string;
      word?: number[];
      trace?: number[];
      states: number;
      transitions: number;
    })
  | (Base & { event: "alphabet"; assumption: number; added: number[]; ours: number[]; theirs: number[] })
  | (Base & { event: "refined"; component: string; before: number; after: number; word: number[]; split?: number; skipped?: number })
  | (Base & { event: "taken_in"; component: string; product: number; reduced: number; left: number })
  | (Base & { event: "conjunct"; index: number; of: number; lts: Lts<number> })
  | (Base & { event: "size"; parameter: string; value: number; result: string })
  | (Base & { event: "premise"; text: string; holds: boolean; states: number })
  | (Base & { event: "progress"; phase: string; states: number; conjectures?: number; memory?: number })
  | (Base & { event: "verdict" } & CheckResult)
  | (Base & { event: "ended"; signal?: string; status?: number }) // by the server: the child is gone
  | (Base & { event: "end"; verdict: string; status: number; time_s: number });

// --- The language process.

export interface Position {
  line: number; // from 0
  character: number; // UTF-16 units, from 0
}
export interface Range {
  start: Position;
  end: Position;
}
export interface Diagnostic {
  range: Range;
  severity: 1 | 2 | 3 | 4;
  message: string;
  code?: "too-much"; // of the only one: reading it takes more than a question may
  data?: { replacement?: string };
}
export interface DocumentSymbol {
  name: string;
  detail?: string;
  kind: number;
  range: Range;
  children?: DocumentSymbol[];
}
export interface Lens {
  range: Range;
  command: { title: string; command: string; arguments: string[] };
}

export interface SystemOf {
  system: string;
  whole: string; // as a machine: the same name, unless one of its components has that
  components: { name: string; states: number; transitions: number; alphabet?: string[] }[];
  properties: { name: string; states: number; transitions: number; alphabet?: string[] }[];
  actions: Record<string, string[]>; // who has each
  constants: Record<string, number>;
  menus?: Record<string, string[]>;
  systems?: string[]; // what `system` may be
  definitions?: { name: string; kind: string; property?: boolean; place?: Place }[]; // what else the text defines
  hidden?: string[]; // actions that the composite hides
  checks?: { kind: Kind; name: string; inside?: boolean; place?: Place }[];
  defines?: { name: string; value: number | string; of?: string; defined?: boolean; place?: Place }[]; // what may be changed
}

export interface Move {
  action: string;
  who: string[];
  to?: string;
  violates?: string[];
  error?: string;
  hidden?: boolean;
  process?: string;
  line?: number;
  statement?: string;
  with?: { process: string; line: number; statement: string };
}

export interface Changed {
  name: string;
  from: string;
  to: string;
}

// What is so at one moment of a walk, and what can happen next.
export interface Moment {
  state: string; // for the next question; nothing comes after a moment without it
  by?: Move & { printed?: string }; // what has led here
  values?: Record<string, string>;
  properties?: Record<string, string>;
  components?: { name: string; state: number; at: string; line?: number }[]; // `state` as surety/machine numbers it
  watchers?: { name: string; state: number; at: string; violated: boolean }[]; // properties, the same
  processes?: { name: string; at: string; line?: number; ended?: boolean }[]; // of a program
  changed?: Changed[]; // values and states that are others than before
  watch?: Record<string, string>; // what fluents, propositions and assertions say
  flipped?: Changed[];
  moves: Move[];
  refused?: { action: string; by: string[]; priority?: boolean }[];
  violates?: string[]; // properties that the step here has broken
  taken?: string;
  step?: number; // of a trace that is followed: the number of the step that led here, if it is one
  deadlock?: boolean;
  ended?: boolean;
  error?: string;
  violated?: string[];
}
