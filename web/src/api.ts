// The server of the page, asked over HTTP (the manual's section "serve" has the requests).
//
// The token comes in the fragment of the printed address, `#t=...`; it is kept for this origin and sent as a header.
import type { FileEntry, FileText, Hello, JobRequest, JobStarted, Report, Told } from "./types";

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: the server cannot be reached
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const kToken = "surety-token";
const kAtOnce = 10; // ms of reading events before others have their turn
let token = "";

// Takes the token out of the address, and out of sight. Each server has its own: with another token there is another server.
export function takeToken(): "none" | "same" | "other" {
  const before = token;
  const found = /^#t=([\w-]+)(?:&(.*))?$/.exec(location.hash);
  if (found) {
    token = found[1]!;
    localStorage.setItem(kToken, token);
    history.replaceState(null, "", location.pathname + (found[2] ? "#" + found[2] : ""));
  } else {
    token = localStorage.getItem(kToken) ?? "";
  }
  return token === "" ? "none" : token === before ? "same" : "other";
}

// By which this server is told from the next one.
export const serverName = (): string => token.slice(0, 12);

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
  const init: RequestInit = { method, headers, cache: "no-store" };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new ApiError(0, "gone", "the server does not answer", "start it again: surety serve");
  }
  if (response.ok) return response;
  const text = await response.text();
  let error: { code?: string; message?: string; hint?: string } = {};
  try {
    error = JSON.parse(text).error ?? {};
  } catch {
    // no JSON: the status says it
  }
  throw new ApiError(
    response.status,
    error.code ?? String(response.status),
    error.message ?? (text || response.statusText),
    error.hint,
  );
}

const get = async <T>(path: string): Promise<T> => (await send("GET", path)).json();
const post = async <T>(path: string, body: unknown): Promise<T> => (await send("POST", path, body)).json();
const q = encodeURIComponent;

export const hello = () => get<Hello>("/api/hello");
export const files = () => get<FileEntry[]>("/api/files");
export const file = (path: string) => get<FileText>(`/api/file?path=${q(path)}`);
export const save = async (path: string, text: string, if_sha256?: string): Promise<{ sha256: string }> =>
  (await send("PUT", "/api/file", { path, text, if_sha256 })).json();

export interface ModelRequest {
  path: string;
  text?: string;
  language?: string;
  define?: Record<string, number | string>;
  system?: string;
  cells?: boolean;
}
export const openModel = (model: ModelRequest) => post<{ model: string; uri?: string }>("/api/models", model);
export const changeModel = async (model: string, text: string): Promise<void> => {
  await send("PATCH", `/api/models/${q(model)}`, { text });
};
export const closeModel = async (model: string): Promise<void> => {
  await send("DELETE", `/api/models/${q(model)}`);
};

let requestNumber = 0;
// A question to the language process. The server fills in the document's address.
export async function ask<T>(model: string, method: string, params: object = {}): Promise<T> {
  const reply = await post<{ result?: T; error?: { code: number; message: string } }>(`/api/models/${q(model)}`, {
    jsonrpc: "2.0",
    id: ++requestNumber,
    method,
    params,
  });
  if (reply.error) throw new ApiError(422, String(reply.error.code), reply.error.message);
  return reply.result as T;
}

export const startJob = (job: JobRequest) => post<JobStarted>("/api/jobs", job);
export const jobs = () => get<{ job: string; command_line: string; state: string }[]>("/api/jobs");
export const cancelJob = async (job: string): Promise<void> => {
  await send("POST", `/api/jobs/${q(job)}/cancel`, {});
};
export const report = (job: string) => get<Report>(`/api/jobs/${q(job)}/report`);
export const standardError = async (job: string): Promise<string> =>
  (await get<{ text: string }>(`/api/jobs/${q(job)}/errors`)).text;
export const recheck = (job: string) => post<JobStarted>(`/api/jobs/${q(job)}/recheck`, {});
export const certificate = (job: string) => get<object>(`/api/jobs/${q(job)}/certificate`);
export const saveCertificate = async (job: string, path: string): Promise<void> => {
  await send("PUT", `/api/jobs/${q(job)}/certificate`, { path });
};
export const ltsText = async (job: string, of: string, k: number | undefined, format: string): Promise<string> =>
  (await send("GET", `/api/jobs/${q(job)}/lts?of=${q(of)}${k === undefined ? "" : `&k=${k}`}&format=${format}`)).text();

// The events of a job as they come, by `fetch`, because EventSource sends no header. A broken stream is asked for again
// after the last event that came. Ends with the job.
export async function events(job: string, each: (event: Told) => void, signal: AbortSignal): Promise<void> {
  let last = 0;
  for (let tries = 0; tries < 5 && !signal.aborted; ++tries) {
    try {
      const response = await send("GET", `/api/jobs/${q(job)}/events?after=${last}`, undefined, signal);
      const from = last;
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      let began = performance.now();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (performance.now() - began > kAtOnce) {
          // What has come already is read in one task, however much it is: others have their turn in between.
          await new Promise((go) => setTimeout(go, 0));
          began = performance.now();
        }
        tries = 0;
        const lines = (rest + value).split("\n");
        rest = lines.pop()!;
        for (const line of lines) {
          if (!line.startsWith("data:")) continue;
          const event = JSON.parse(line.slice(5)) as Told;
          if (event.n <= from) continue; // told before the stream broke
          last = event.n;
          each(event);
        }
      }
    } catch (e) {
      if (signal.aborted) return;
      if (e instanceof ApiError && e.status !== 0) throw e;
      await new Promise((go) => setTimeout(go, 300));
    }
  }
}
