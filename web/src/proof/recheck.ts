// Certificates that are checked again: a run of the independent checker for a job that has one, with its own recording.
import * as api from "../api";
import { emptyRecording, record } from "../recording";
import type { Recording } from "../recording";
import { change } from "../store";
import type { Job } from "../store";

export interface Certified {
  accepted: boolean;
  finished: boolean;
  reason?: string; // why the whole is refused
  inputs?: { file: string; sha256: string }[];
  define?: Record<string, string | number>;
  proofs?: { kind: string; property?: string; from?: string; for_every?: string; rule: string; accepted: boolean; reason?: string; trace?: string[] }[];
  not_covered?: { kind: string; property?: string; from?: string }[];
  errors?: { message: string; hint?: string; file?: string }[];
}

export interface Recheck {
  state: "running" | "done" | "failed";
  commandLine: string;
  recording: Recording;
  report?: Certified;
  failure?: string;
}

const all = new Map<string, Recheck>(); // by the job that the certificate is of

export const recheckOf = (job: string): Recheck | undefined => all.get(job);

function put(job: string, recheck: Recheck): void {
  all.set(job, recheck);
  change(() => {});
}

export async function recheck({ id: job, name }: Job): Promise<void> {
  const recording = emptyRecording();
  let its: Recheck = { state: "running", commandLine: "", recording };
  put(job, its);
  try {
    const started = await api.recheck(name);
    put(job, (its = { ...its, commandLine: started.command_line }));
    change((s) => (s.commandLine = started.command_line));
    await api.events(started.job, (event) => record(recording, event), new AbortController().signal);
    const report = (await api.report(started.job)) as unknown as Certified;
    put(job, { ...its, state: "done", report });
  } catch (e) {
    put(job, { ...its, state: "failed", failure: e instanceof Error ? e.message : String(e) });
  }
}
