// The open document: its text, its draft, and what the language process says of it.
//
// 250 ms after the last key the text goes to the process, and diagnostics, outline, lenses and the system are asked for.
// Each question is of one version of the text; an answer for an older one is dropped.
import * as api from "./api";
import { dropDraft, keepDraft, readDraft } from "./drafts";
import { askModel, forgetModel, hasModel, languageOf, modelName } from "./language";
import { failed, say } from "./messages";
import { takeChecks } from "./rows";
import { change, state } from "./store";
import type { Doc } from "./store";
import type { Diagnostic, DocumentSymbol, Lens, Options, SystemOf } from "./types";

const kQuiet = 250; // ms after the last key

interface Wanted {
  define?: Record<string, number | string>;
  system?: string;
  fresh?: boolean; // what is on disk, whatever was typed
}

// --- Opening and saving.

// In the page lines end with \n, as the editor has it. Files keep the line ends that most of their lines have, and one that
// has not been edited is what it was, to the byte: certificates name its hash.
export const inPage = (text: string): string => text.replaceAll(/\r\n?/g, "\n");
export function written(doc: Doc, text: string): string {
  if (text === doc.saved) return doc.onDisk;
  const lines = doc.onDisk.split("\n").length - 1;
  const windows = doc.onDisk.split("\r\n").length - 1;
  return 2 * windows > lines ? text.replaceAll("\n", "\r\n") : text;
}

let opening = 0; // the file that was asked for last is the one that is opened

// Returns whether it was opened: not if it cannot be read, nor if another one was asked for meanwhile.
export async function openFile(path: string, wanted: Wanted = {}): Promise<boolean> {
  const mine = ++opening;
  try {
    const got = await api.file(path);
    if (mine !== opening) return false;
    const saved = inPage(got.text);
    const draft = wanted.fresh ? undefined : readDraft(path);
    const text = draft?.text ?? saved;
    forgetModel();
    clearTimeout(timer);
    change((s) => {
      if (s.doc !== undefined && s.doc.path !== path) {
        s.how = withoutNames(s.how);
        if (s.model !== undefined) s.model = { ...s.model, diagnostics: [], symbols: [], lenses: [] };
      }
      s.doc = {
        path,
        language: languageOf(path),
        text,
        saved,
        sha256: text === saved ? got.sha256 : (draft?.sha256 ?? got.sha256),
        onDisk: got.text,
        readOnly: got.read_only,
        version: (s.doc?.version ?? 0) + 1,
      };
      s.define = wanted.define ?? {};
      s.system = wanted.system;
      s.rows = [];
      s.selectedRow = undefined;
      s.selectedJob = undefined;
      s.conjecture = undefined;
      s.walks = [];
      s.walk = undefined;
      s.tracing = undefined;
      s.machine = undefined;
      s.message = undefined;
      s.references = undefined;
      s.known = undefined;
    });
    if (text === saved) dropDraft(path);
    else if (state.doc?.sha256 === got.sha256) say("this is your draft, which is not saved yet");
    else say("this is your draft; the file has been written by somebody else since, and saving asks what to do");
    await pull();
    return mine === opening;
  } catch (e) {
    if (mine === opening) failed(e);
    return false;
  }
}

// Sides, assumptions and the constant of all sizes are of one model.
function withoutNames(how: Options): Options {
  const { split: _, assumption: __, "all-sizes": ___, ...others } = how;
  return others;
}

let saving: Promise<unknown> = Promise.resolve(); // one after the other: each writes over what the one before has written

export function saveFile(as?: string): Promise<boolean> {
  const of = state.doc?.path;
  const mine = saving.then(() => save(of, as));
  saving = mine;
  return mine;
}

async function save(of: string | undefined, as: string | undefined): Promise<boolean> {
  const doc = state.doc;
  if (doc === undefined || doc.path !== of) return false;
  const path = as ?? doc.path;
  if (as === undefined && doc.readOnly) {
    change((s) => (s.dialog = "save-as"));
    return false;
  }
  try {
    const { text } = doc;
    const onDisk = written(doc, text);
    const { sha256 } = await api.save(path, onDisk, as === undefined ? doc.sha256 : await hashOf(path));
    const moved = path !== doc.path;
    const isOpen = state.doc?.path === doc.path; // another file may have been opened meanwhile
    const typed = readDraft(doc.path)?.text; // somebody may have typed on
    if (moved) dropDraft(doc.path);
    keepDraft({ ...doc, path, saved: text, sha256, text: typed ?? text });
    if (isOpen)
      change((s) => (s.doc = { ...s.doc!, path, language: languageOf(path), saved: text, onDisk, sha256, readOnly: false }));
    say(`saved ${path}`);
    const files = await api.files();
    change((s) => (s.files = files));
    if (moved && isOpen && state.doc?.path === path) await anew();
    return true;
  } catch (e) {
    if (e instanceof api.ApiError && e.status === 409) change((s) => (s.dialog = as === undefined ? "changed" : s.dialog));
    if (!(e instanceof api.ApiError && e.status === 409 && as === undefined)) failed(e);
    return false;
  }
}

// An empty file of this name, if there is none.
export async function newFile(path: string): Promise<boolean> {
  try {
    await api.save(path, "");
    const files = await api.files();
    change((s) => (s.files = files));
    await openFile(path);
    return true;
  } catch (e) {
    failed(e);
    return false;
  }
}

// Of a file that is to be replaced: the server writes over nothing that was not read.
const hashOf = async (path: string): Promise<string | undefined> =>
  state.files.some((f) => f.path === path) ? (await api.file(path)).sha256 : undefined;

// The file has changed on disk: ours goes over it, or theirs is read.
export async function overwrite(): Promise<void> {
  const doc = state.doc;
  if (doc === undefined) return;
  try {
    const there = await api.file(doc.path);
    change((s) => {
      if (s.doc) s.doc = { ...s.doc, sha256: there.sha256 };
      s.dialog = undefined;
    });
    await saveFile();
  } catch (e) {
    failed(e);
  }
}

export async function discardDraft(): Promise<void> {
  const doc = state.doc;
  if (doc === undefined) return;
  change((s) => (s.dialog = undefined));
  await openFile(doc.path, { define: state.define, system: state.system, fresh: true });
}

// --- Editing.

let timer: ReturnType<typeof setTimeout> | undefined;

export function editText(text: string): void {
  const doc = state.doc;
  if (doc === undefined || doc.text === text) return;
  const edited = { ...doc, text, version: doc.version + 1 };
  change((s) => {
    s.doc = edited;
    s.references = undefined; // lines are others now
  });
  keepDraft(edited);
  clearTimeout(timer);
  timer = setTimeout(() => void pull(), kQuiet);
}

// What was typed last is read at once: which checks there are, and where, is then known of the text as it is.
export async function readNow(): Promise<void> {
  if (state.doc === undefined || state.model?.version === state.doc.version) return;
  clearTimeout(timer);
  await pull();
}

export function setDefine(name: string, value: number | string | undefined): void {
  change((s) => {
    const { [name]: _, ...others } = s.define;
    s.define = value === undefined ? others : { ...others, [name]: value };
  });
  void anew();
}

export async function setSystem(system: string | undefined): Promise<void> {
  change((s) => (s.system = system));
  await anew();
}

export function setCells(cells: boolean): void {
  change((s) => {
    const { cells: _, ...others } = s.how;
    s.how = cells ? { ...others, cells: true } : others;
  });
  void anew();
}

// Another system: the process is asked with other constants, and results are of the one before.
export async function anew(): Promise<void> {
  const doc = state.doc;
  if (doc === undefined) return;
  change((s) => (s.doc = { ...doc, version: doc.version + 1 }));
  forgetModel();
  clearTimeout(timer);
  await pull();
}

// --- What the language process says.

async function pull(): Promise<void> {
  const doc = state.doc;
  if (doc === undefined || !hasModel(doc.language)) {
    change((s) => (s.model = undefined));
    return;
  }
  const { version, path } = doc;
  const isOld = () => state.doc?.version !== version || state.doc.path !== path;
  try {
    const found = await askModel<{ items: Diagnostic[] }>("textDocument/diagnostic");
    if (isOld()) return;
    const [symbols, lenses, system] = await Promise.all([
      askModel<DocumentSymbol[] | null>("textDocument/documentSymbol").catch(() => null),
      askModel<Lens[] | null>("textDocument/codeLens").catch(() => null),
      askModel<SystemOf>("surety/system").catch(() => undefined),
    ]);
    if (isOld()) return;
    const id = await modelName();
    if (isOld()) return;
    const hasErrors = found.items.some((d) => d.severity === 1);
    change((s) => {
      s.model = {
        id,
        version,
        diagnostics: found.items,
        symbols: hasErrors && !symbols?.length ? (s.model?.symbols ?? []) : (symbols ?? []), // those of before, while it cannot be read
        lenses: lenses ?? [],
        ...(system === undefined ? {} : { system }),
      };
      takeChecks(s);
      s.known = system ?? s.known;
      if (system !== undefined && !hasMachine(system, s.machine)) s.machine = (system.components[0] ?? system.properties[0])?.name;
    });
  } catch (e) {
    if (!isOld()) failed(e);
  }
}

// What Draw can show of a system; assumptions are of a row.
const hasMachine = (system: SystemOf, name: string | undefined): boolean =>
  name !== undefined &&
  (name === system.whole ||
    /^assumption \d+$/.test(name) ||
    [...system.components, ...system.properties, ...(system.definitions ?? [])].some((m) => m.name === name));
