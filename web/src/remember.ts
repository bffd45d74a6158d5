// What was run survives a reload: the server keeps its jobs, and this tab keeps which ones are its own. After a reload they
// are listened to from their beginning, so that rows, proofs and traces are there again; what still runs goes on.
import * as api from "./api";
import type { Job } from "./store";

const kKey = "surety-jobs";
const kMost = 100;

export type Kept = Pick<Job, "name" | "command" | "commandLine" | "path" | "text" | "options" | "row">;

// Texts are long, and many jobs have the same: each is kept once.
interface File {
  server: string; // the next one has other jobs of the same names
  texts: string[];
  jobs: (Omit<Kept, "text"> & { text: number })[];
}

export function pack(kept: Kept[]): File {
  const texts = [...new Set(kept.map((k) => k.text))];
  return { server: api.serverName(), texts, jobs: kept.slice(-kMost).map((k) => ({ ...k, text: texts.indexOf(k.text) })) };
}
export function unpack(file: File): Kept[] {
  return file.jobs.flatMap((j) => {
    const text = file.texts[j.text];
    return text === undefined ? [] : [{ ...j, text }];
  });
}

let kept: Kept[] = [];

export function keepJob(job: Job): void {
  const { name, command, commandLine, path, text, options, row } = job;
  kept = [...kept, { name, command, commandLine, path, text, options, ...(row === undefined ? {} : { row }) }];
  try {
    sessionStorage.setItem(kKey, JSON.stringify(pack(kept)));
  } catch {
    sessionStorage.removeItem(kKey); // too much for the browser: a reload forgets then
  }
}

// Those of this tab that the server still has.
export async function keptJobs(): Promise<(Kept & { isDone: boolean })[]> {
  try {
    const file = JSON.parse(sessionStorage.getItem(kKey) ?? "") as File;
    const there = new Map(file.server === api.serverName() ? (await api.jobs()).map((j) => [j.job, j]) : []);
    kept = unpack(file).filter((k) => there.has(k.name));
    return kept.map((k) => ({ ...k, isDone: there.get(k.name)!.state === "done" }));
  } catch {
    kept = [];
    return [];
  }
}

// Of another server.
export function forgetJobs(): void {
  kept = [];
  sessionStorage.removeItem(kKey);
}
