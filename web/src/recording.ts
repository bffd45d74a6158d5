// What a run has told, put in order: per check its lanes, per lane its conjectures, refinements, steps. A recording
// grows while the run goes on, and is what the Proof panel plays. No browser is needed for it.
//
// A conjecture that is told again and has not changed (circular tells every guarantee in each round, agar what it has
// after each replay) is one cell that lasts longer. What the premise about all together says (assumption 0) belongs to
// all cells that stand at that time.
import type { CheckResult, Kind, Lts, Place, Told } from "./types";

export interface Answer {
  assumption: number; // 0: all together
  oracle: number;
  result: string;
  word?: number[];
  trace?: number[];
  states: number;
  transitions: number;
  t: number;
  after: number; // so many conjectures of the lane came before
}

export interface Conjecture {
  index: number; // in the lane: what the player counts
  k: number; // as the run has numbered it, at first
  last: number; // and at last
  times: number; // it was told so often
  assumption: number;
  lts: Lts<number>;
  t: number;
  queries?: number;
  skipped: number; // so many before it were not told
  asked: number; // the last oracle that looked at it, or 0
  answer?: Answer; // nothing yet, or nothing of its own
  next?: number; // the one of the same assumption that comes after it
}

export interface Widened {
  assumption: number;
  added: number[];
  ours: number[];
  theirs: number[];
  after: number; // so many conjectures of the lane came before
  t: number;
}

export interface Refinement {
  component: string;
  before: number;
  after: number;
  word: number[];
  split?: number;
  conjunct: number; // 0: the whole property
  skipped: number;
  cells: number; // so many conjectures of the lane came before
  t: number;
}

export interface TakenIn {
  component: string;
  product: number;
  reduced: number;
  left: number;
  conjunct: number;
  size?: number; // of a proof for all sizes: for this one
  t: number;
}

export interface Sample {
  t: number;
  phase: string;
  states: number;
  conjectures: number;
  memory: number;
}

export interface Lane {
  lane: number;
  method: string; // "": the one that was asked for
  is: "running" | "answered" | "stopped";
  result?: string;
  started: number;
  ended?: number;
  split?: string[][];
  interface?: number[];
  conjectures: Conjecture[];
  answers: Answer[]; // all of them, as they came
  widened: Widened[];
  refined: Refinement[];
  takenIn: TakenIn[];
  profile: Sample[];
  skipped: number;
}

export interface CheckRun {
  id: number;
  kind: Kind;
  property?: string;
  place?: Place;
  turns: number; // how often it was begun
  forgotten: number; // conjectures and refinements of earlier turns
  seconds?: number; // that it may take
  lanes: Lane[];
  premises: Premise[];
  conjuncts: { index: number; of: number; lts: Lts<number> }[];
  sizes: { parameter: string; value: number; result: string; t: number }[];
  verdict?: CheckResult & { t: number };
}

export interface Premise {
  text: string;
  holds: boolean;
  states: number;
}

export interface Recording {
  names: string[]; // of actions, by number
  system?: string;
  argv: string[];
  components: { name: string; states: number; transitions: number; alphabet: number[] }[];
  properties: { name: string; states: number; transitions: number; alphabet: number[] }[];
  checks: CheckRun[];
  progress?: Sample; // the last one
  profile: Sample[]; // of all lanes together
  events: number;
  seconds: number; // when the last event came, by the run's clock
  end?: { verdict: string; status: number; time_s: number };
  ended?: { signal?: string; status?: number };
}

export const emptyRecording = (): Recording => ({
  names: ["tau"],
  argv: [],
  components: [],
  properties: [],
  checks: [],
  profile: [],
  events: 0,
  seconds: 0,
});

export const sameLts = (a: Lts<number>, b: Lts<number>): boolean =>
  a.states === b.states &&
  a.transitions === b.transitions &&
  a.error === b.error &&
  a.end === b.end &&
  a.alphabet.length === b.alphabet.length &&
  a.steps?.length === b.steps?.length &&
  a.alphabet.every((action, i) => action === b.alphabet[i]) &&
  (a.steps ?? []).every(([from, action, to], i) => {
    const other = b.steps![i]!;
    return from === other[0] && action === other[1] && to === other[2];
  });

function checkOf(recording: Recording, id: number): CheckRun {
  let check = recording.checks.find((c) => c.id === id);
  if (check === undefined) {
    check = { id, kind: "safety", turns: 0, forgotten: 0, lanes: [], premises: [], conjuncts: [], sizes: [] };
    recording.checks.push(check);
  }
  return check;
}

function laneOf(recording: Recording, e: Told): Lane {
  const check = checkOf(recording, e.check ?? 0);
  let lane = check.lanes.find((l) => l.lane === (e.lane ?? 0));
  if (lane === undefined) {
    lane = {
      lane: e.lane ?? 0,
      method: "",
      is: "running",
      started: e.t,
      conjectures: [],
      answers: [],
      widened: [],
      refined: [],
      takenIn: [],
      profile: [],
      skipped: 0,
    };
    check.lanes.push(lane);
  }
  return lane;
}

const latestOf = (lane: Lane, assumption: number): Conjecture | undefined =>
  lane.conjectures.findLast((c) => c.assumption === assumption);

function conjecture(lane: Lane, e: Extract<Told, { event: "conjecture" }>): void {
  const skipped = e.skipped ?? 0;
  lane.skipped += skipped;
  const before = latestOf(lane, e.assumption);
  if (before !== undefined && before.answer === undefined && skipped === 0 && sameLts(before.lts, e.lts)) {
    before.last = e.k;
    ++before.times;
    return;
  }
  if (before !== undefined) before.next = lane.conjectures.length;
  lane.conjectures.push({
    index: lane.conjectures.length,
    k: e.k,
    last: e.k,
    times: 1,
    assumption: e.assumption,
    lts: e.lts,
    t: e.t,
    queries: e.queries,
    skipped,
    asked: 0,
  });
}

function answered(lane: Lane, e: Extract<Told, { event: "answered" }>): void {
  const { assumption, oracle, result, word, trace, states, transitions, t } = e;
  const answer: Answer = { assumption, oracle, result, word, trace, states, transitions, t, after: lane.conjectures.length };
  lane.answers.push(answer);
  const judged = assumption === 0 ? undefined : latestOf(lane, assumption);
  if (judged !== undefined) judged.answer = answer;
}

// A check that is begun again forgets what it did in its first, short turn.
function turn(check: CheckRun, seconds: number): void {
  ++check.turns;
  check.seconds = seconds;
  for (const lane of check.lanes) check.forgotten += lane.conjectures.length + lane.refined.length + lane.takenIn.length;
  check.lanes = [];
  check.conjuncts = [];
  check.sizes = [];
  check.premises = [];
}

// What all lanes have searched so far; diagrams have nodes and not states.
function together(check: CheckRun, last: Sample): Sample {
  const searching = check.lanes.filter((l) => l.method !== "symbolic" && l.profile.length > 0).map((l) => l.profile.at(-1)!);
  if (searching.length === 0) return last;
  const sum = (of: (s: Sample) => number) => searching.reduce((total, s) => total + of(s), 0);
  return { ...last, states: sum((s) => s.states), conjectures: sum((s) => s.conjectures) };
}

// Takes in the next event.
export function record(recording: Recording, e: Told): void {
  recording.events = e.n;
  recording.seconds = e.t;
  switch (e.event) {
    case "start":
      recording.argv = e.argv;
      break;
    case "model":
      recording.system = e.system;
      recording.names = e.actions;
      recording.components = e.components;
      recording.properties = e.properties;
      break;
    case "actions":
      recording.names.splice(e.from, e.names.length, ...e.names);
      break;
    case "plan":
      for (const c of e.checks) Object.assign(checkOf(recording, c.id), c);
      break;
    case "turn":
      turn(checkOf(recording, e.check ?? 0), e.time_s);
      break;
    case "lane": {
      const lane = laneOf(recording, e);
      lane.method = e.method;
      if (e.is === "started") {
        lane.is = "running";
        lane.started = e.t;
      } else {
        lane.is = e.is;
        lane.ended = e.t;
        lane.result = e.result;
      }
      break;
    }
    case "sides": {
      const lane = laneOf(recording, e);
      lane.split = e.split;
      lane.interface = e.interface;
      break;
    }
    case "conjecture":
      conjecture(laneOf(recording, e), e);
      break;
    case "asked": {
      const asked = latestOf(laneOf(recording, e), e.assumption);
      if (asked !== undefined) asked.asked = e.oracle;
      break;
    }
    case "answered":
      answered(laneOf(recording, e), e);
      break;
    case "alphabet": {
      const lane = laneOf(recording, e);
      const { assumption, added, ours, theirs, t } = e;
      lane.widened.push({ assumption, added, ours, theirs, after: lane.conjectures.length, t });
      break;
    }
    case "refined": {
      const lane = laneOf(recording, e);
      const { component, before, after, word, split, conjunct = 0, skipped = 0, t } = e;
      lane.skipped += skipped;
      const cells = lane.conjectures.length;
      lane.refined.push({ component, before, after, word, split, conjunct, skipped, cells, t });
      break;
    }
    case "taken_in": {
      const { component, product, reduced, left, conjunct = 0, t } = e;
      laneOf(recording, e).takenIn.push({ component, product, reduced, left, conjunct, t });
      break;
    }
    case "conjunct":
      checkOf(recording, e.check ?? 0).conjuncts.push({ index: e.index, of: e.of, lts: e.lts });
      break;
    case "size": {
      const { parameter, value, result, t } = e;
      checkOf(recording, e.check ?? 0).sizes.push({ parameter, value, result, t });
      for (const taken of laneOf(recording, e).takenIn) taken.size ??= value;
      break;
    }
    case "premise":
      checkOf(recording, e.check ?? 0).premises.push({ text: e.text, holds: e.holds, states: e.states });
      break;
    case "progress": {
      const { t, phase, states, conjectures = 0, memory = 0 } = e;
      const sample = { t, phase, states, conjectures, memory };
      laneOf(recording, e).profile.push(sample);
      const all = together(checkOf(recording, e.check ?? 0), sample);
      recording.progress = all;
      recording.profile.push(all);
      break;
    }
    case "verdict":
      checkOf(recording, e.check ?? 0).verdict = e;
      break;
    case "end":
      recording.end = e;
      break;
    case "ended":
      recording.ended = { signal: e.signal, status: e.status };
      break;
  }
}
