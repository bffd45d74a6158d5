// A server of which a test says when it answers, and what: requests wait until then, and may be answered in any order.
import assert from "node:assert/strict";

export interface Request {
  line: string; // "GET /api/file?path=a.lts"
  body: any;
  token: string;
  answer: (reply: unknown, status?: number) => void;
  stream: (events: object[]) => void; // to its end
  respond: (response: Response) => void;
}

function store(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
  };
}

export const waiting: Request[] = [];
export const lines: string[] = []; // of all requests so far

export function begin(): void {
  waiting.length = 0;
  lines.length = 0;
  replying = undefined;
  const place = { hash: "#t=first", pathname: "/", origin: "http://127.0.0.1:7117" };
  Object.assign(globalThis, {
    localStorage: store(),
    sessionStorage: store(),
    location: place,
    history: { replaceState: (_: unknown, __: string, to: string) => (place.hash = to.includes("#") ? to.slice(to.indexOf("#")) : "") },
    fetch: (path: string, init: RequestInit) =>
      new Promise<Response>((done, failed) => {
        init.signal?.addEventListener("abort", () => failed(new Error("aborted")));
        const line = `${init.method} ${path}`;
        lines.push(line);
        waiting.push({
          line,
          body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
          token: (init.headers as Record<string, string>)["Authorization"]!.slice("Bearer ".length),
          answer: (reply, status = 200) => done(new Response(status === 204 ? null : JSON.stringify(reply), { status })),
          stream: (events) => done(new Response(events.map((e) => `data: ${JSON.stringify(e)}\n\n`).join(""))),
          respond: done,
        });
      }),
  });
}

// Until nothing moves any more without an answer.
export const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 5));

// The oldest request that waits and whose line begins so; it waits no more.
export async function next(line: string): Promise<Request> {
  for (let tries = 0; tries < 200; ++tries) {
    const at = waiting.findIndex((r) => r.line.startsWith(line));
    if (at >= 0) return waiting.splice(at, 1)[0]!;
    await settle();
  }
  return assert.fail(`no request ${line}; there are: ${waiting.map((r) => r.line).join(", ")}`);
}

// Answers questions to language processes until the test says otherwise: for what it is not about.
export function answerQuestions(reply: (method: string, text: string) => unknown): () => void {
  replying = reply;
  return () => (replying = undefined);
}

let replying: ((method: string, text: string) => unknown) | undefined;
const texts = new Map<string, string>(); // by process
let models = 0;

function answerQuestion({ line, body, answer }: Request): void {
  const [method, path] = line.split(" ") as [string, string];
  const id = path.slice("/api/models/".length);
  if (path === "/api/models") {
    texts.set(`m${++models}`, body.text);
    answer({ model: `m${models}` });
  } else if (method === "PATCH" || method === "DELETE") {
    if (method === "PATCH") texts.set(id, body.text);
    answer({});
  } else answer({ jsonrpc: "2.0", id: body.id, result: replying!(body.method, texts.get(id) ?? "") });
}

const answering = setInterval(() => {
  while (replying !== undefined) {
    const at = waiting.findIndex((r) => r.line.includes("/api/models"));
    if (at < 0) return;
    answerQuestion(waiting.splice(at, 1)[0]!);
  }
}, 1);

export const end = (): void => clearInterval(answering);
