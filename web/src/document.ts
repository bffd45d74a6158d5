// The open document: its text, its draft, and what the language process says of it.
//
// 250 ms after the last key the text goes to the process, and diagnostics, outline, lenses and the system are asked for.
// Each question is of one version of the text; an answer for an older one is dropped.
import * as api from "./api";
import { failed, say } from "./messages";
import { takeChecks } from "./rows";
import { change, state } from "./store";
import type { Job } from "./store";
import type { Diagnostic, DocumentSymbol, Lens, Options, SystemOf } from "./types";

const kQuiet = 250; // ms after the last key
const kDraft = "surety-draft:";

const kLanguages: Record<string, string> = {
  lts: "fsp",
  fsp: "fsp",
  pml: "promela",
  prom: "promela",
  adb: "ada",
  ads: "ada",
  ada: "ada",
  aut: "aut",
  json: "json",
};
export const languageOf = (path: string): string => kLanguages[path.slice(path.lastIndexOf(".") + 1)] ?? "text";
export const hasModel = (language: string): boolean => ["fsp", "promela", "ada", "aut"].includes(language);

interface Wanted {
  define?: Record<string, number | string>;
  system?: string;
}

// --- Opening and saving.

export async function openFile(path: string, wanted: Wanted = {}): Promise<void> {
  try {
    const got = await api.file(path);
    const draft = readDraft(path);
    const text = draft !== undefined && !got.read_only ? draft : got.text;
    forgetModel();
    change((s) => {
      if (s.doc !== undefined && s.doc.path !== path) {
        s.how = withoutNames(s.how);
        if (s.model !== undefined) s.model = { ...s.model, diagnostics: [], symbols: [], lenses: [] };
      }
      s.doc = {
        path,
        language: languageOf(path),
        text,
        saved: got.text,
        sha256: got.sha256,
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
      s.machine = undefined;
      s.message = undefined;
      s.references = undefined;
      s.known = undefined;
    });
    if (text !== got.text) say("this is your draft; what is on disk is older or other");
    await pull();
  } catch (e) {
    failed(e);
  }
}

// Sides, assumptions and the constant of all sizes are of one model.
function withoutNames(how: Options): Options {
  const { split: _, assumption: __, "all-sizes": ___, ...others } = how;
  return others;
}

export async function saveFile(as?: string): Promise<boolean> {
  const doc = state.doc;
  if (doc === undefined) return false;
  const path = as ?? doc.path;
  if (as === undefined && doc.readOnly) {
    change((s) => (s.dialog = "save-as"));
    return false;
  }
  try {
    const text = doc.text;
    const { sha256 } = await api.save(path, text, as === undefined ? doc.sha256 : await hashOf(path));
    dropDraft(doc.path);
    const files = await api.files();
    const moved = path !== doc.path;
    change((s) => {
      s.files = files;
      if (s.doc !== undefined && s.doc.path === doc.path)
        s.doc = { ...s.doc, path, language: languageOf(path), saved: text, sha256, readOnly: false };
    });
    say(`saved ${path}`);
    if (moved) {
      forgetModel();
      await pull();
    }
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
  dropDraft(doc.path);
  change((s) => (s.dialog = undefined));
  await openFile(doc.path, { define: state.define, system: state.system });
}

// Drafts are of files that can be written; one is kept until it is saved or thrown away.
const draftKey = (path: string) => `${kDraft}${state.hello?.folder ?? ""}/${path}`;
function readDraft(path: string): string | undefined {
  return localStorage.getItem(draftKey(path)) ?? undefined;
}
function dropDraft(path: string): void {
  localStorage.removeItem(draftKey(path));
}
function keepDraft(path: string, text: string, saved: string): void {
  if (text === saved) dropDraft(path);
  else
    try {
      localStorage.setItem(draftKey(path), text);
    } catch {
      // the store of the browser is full: there is no draft then
    }
}

// --- Editing.

let timer: ReturnType<typeof setTimeout> | undefined;

export function editText(text: string): void {
  const doc = state.doc;
  if (doc === undefined || doc.text === text) return;
  change((s) => {
    s.doc = { ...doc, text, version: doc.version + 1 };
    s.references = undefined; // lines are others now
  });
  keepDraft(doc.path, text, doc.saved);
  clearTimeout(timer);
  timer = setTimeout(() => void pull(), kQuiet);
}

export function setDefine(name: string, value: number | string | undefined): void {
  change((s) => {
    const { [name]: _, ...others } = s.define;
    s.define = value === undefined ? others : { ...others, [name]: value };
  });
  void anew();
}

export function setSystem(system: string | undefined): void {
  change((s) => (s.system = system));
  void anew();
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

// --- The language process.

let opened: { id: Promise<string>; text: string } | undefined; // what the process has

function forgetModel(): void {
  opened?.id.then(api.closeModel).catch(() => {}); // it goes by itself, if it is gone already
  opened = undefined;
}

function openModel(text: string): Promise<string> {
  const doc = state.doc!;
  const id = api
    .openModel({
      path: doc.path,
      text,
      language: doc.language,
      define: state.define,
      ...(state.system === undefined ? {} : { system: state.system }),
      ...(state.how.cells === undefined ? {} : { cells: true }),
    })
    .then((reply) => reply.model);
  opened = { id, text };
  return id;
}

// The process, with the text as it stands in the editor.
async function modelNow(): Promise<string> {
  const doc = state.doc;
  if (doc === undefined) throw new Error("no model is open");
  if (opened === undefined) return openModel(doc.text);
  const mine = opened;
  const id = await mine.id;
  if (mine.text !== doc.text) {
    mine.text = doc.text;
    await api.changeModel(id, doc.text);
  }
  return id;
}

// A question about the open document, as it stands in the editor. A process that had to go comes back once.
export async function askModel<T>(method: string, params: object = {}): Promise<T> {
  try {
    return await api.ask<T>(await modelNow(), method, params);
  } catch (e) {
    if (!(e instanceof api.ApiError) || e.status !== 404) throw e;
    opened = undefined;
    return api.ask<T>(await modelNow(), method, params);
  }
}

// The same about what a job was about, if that has changed since. Its process lives for the question only.
export async function askOther<T>(job: Job, method: string, params: object = {}): Promise<T> {
  const { define, system, cells } = job.options;
  const { model } = await api.openModel({
    path: job.path,
    text: job.text,
    language: languageOf(job.path),
    define: (define ?? {}) as Record<string, number | string>,
    ...(typeof system === "string" ? { system } : {}),
    ...(cells === undefined ? {} : { cells: true }),
  });
  try {
    return await api.ask<T>(model, method, params);
  } finally {
    void api.closeModel(model).catch(() => {});
  }
}

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
    const id = await opened!.id;
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
      const machines = system === undefined ? [] : [...system.components, ...system.properties];
      if (machines.length > 0 && !machines.some((m) => m.name === s.machine)) s.machine = machines[0]!.name;
    });
  } catch (e) {
    if (!isOld()) failed(e);
  }
}
