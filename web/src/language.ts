// The language process of the open document: it has the text as it stands in the editor, and answers questions about it.
//
// Requests go over several connections and may overtake each other. So the order is kept here: a new text waits until the
// questions about the old one are answered, and a question waits until the process has the text that it is about.
import * as api from "./api";
import { state } from "./store";
import type { Doc, Job } from "./store";

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

// The question was about a document that is not open any more, or about a process that was given up: nobody waits for it.
export class Dropped extends Error {}

interface Held {
  text: string; // that it has, or will have when `ready`
  ready: Promise<string>; // its name
  asked: Set<Promise<unknown>>; // questions about this text
}

let held: Held | undefined;
let generation = 0; // goes up with every other file, constant or system

// Another file, other constants, another system: the next question is to a new process.
export function forgetModel(): void {
  const old = held;
  loseModel();
  if (old === undefined) return;
  void Promise.all(old.asked)
    .then(() => old.ready)
    .then(api.closeModel)
    .catch(() => {}); // it goes by itself, if it is gone already
}

// The server is another one: what that calls by this name is of somebody else.
export function loseModel(): void {
  held = undefined;
  ++generation;
}

function open(doc: Doc): Held {
  const ready = api
    .openModel({
      path: doc.path,
      text: doc.text,
      language: doc.language,
      define: state.define,
      ...(state.system === undefined ? {} : { system: state.system }),
      ...(state.how.cells === undefined ? {} : { cells: true }),
    })
    .then((reply) => reply.model);
  return (held = { text: doc.text, ready, asked: new Set() });
}

// The process, which will have the text as it stands in the editor now.
function holding(): Held {
  const { doc } = state;
  if (doc === undefined) throw new Dropped("no model is open");
  const mine = held ?? open(doc);
  if (mine.text === doc.text) return mine;
  const before = [...mine.asked];
  mine.asked.clear();
  mine.text = doc.text;
  mine.ready = Promise.all([mine.ready, ...before]).then(async ([id]) => {
    await api.changeModel(id, doc.text);
    return id;
  });
  return mine;
}

async function askHeld<T>(mine: Held, method: string, params: object): Promise<T> {
  const { ready } = mine;
  const answer = ready.then((id) => api.ask<T>(id, method, params));
  const settled: Promise<unknown> = answer.catch(() => {}).finally(() => mine.asked.delete(settled));
  mine.asked.add(settled);
  ready.catch(() => held === mine && (held = undefined)); // it could not be opened: the next question tries again
  return answer;
}

// A question about the open document, as it stands in the editor. A process that had to go comes back once.
export async function askModel<T>(method: string, params: object = {}): Promise<T> {
  const mine = holding();
  const [of, { text }] = [generation, mine];
  try {
    return await askHeld<T>(mine, method, params);
  } catch (e) {
    if (of !== generation) throw new Dropped("the document is another one now");
    if (!(e instanceof api.ApiError) || e.status !== 404) throw e;
    if (state.doc?.text !== text) throw new Dropped("the text is another one now");
    if (held === mine) held = undefined;
    return askHeld<T>(holding(), method, params);
  }
}

// The name of the process; only for who knows that it is there.
export const modelName = (): Promise<string> => held?.ready ?? Promise.reject(new Dropped("no model is open"));

// A question about what a job was about, if that has changed since. Its process lives for the question only.
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
