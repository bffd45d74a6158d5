// What people do while an answer is on its way: the page shows what was asked for last, and of nothing the answer to
// something else.
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { discardDraft, editText, openFile, runAll, runRow, saveFile, showTrace, start } from "../src/actions";
import { takeToken } from "../src/api";
import { abortRow, anyRunning, loseJobs, runJob } from "../src/runs";
import { askModel, loseModel } from "../src/language";
import { lookOf } from "../src/rows";
import { presentWalk, state, walkOf } from "../src/store";
import { answerQuestions, begin, end, lines, next, settle, waiting } from "./script";

const kHash = "0".repeat(64);
const kOther = "1".repeat(64);
const hello = { tool: "surety", folder: "models", read_only: false, spin: false, cores: 2, limits: { time_s: 60, memory_bytes: 1, jobs: 2 }, methods: [], examples: [] };
const first = structuredClone(state);

beforeEach(() => {
  begin();
  takeToken();
  loseModel();
  loseJobs();
  for (const key of Object.keys(state)) delete (state as unknown as Record<string, unknown>)[key];
  Object.assign(state, structuredClone(first), { hello, server: "there" });
});

after(end);

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

// A text declares a safety property for each of its words.
function said(method: string, text: string): unknown {
  if (method === "textDocument/diagnostic")
    return { items: text.includes("!") ? [{ range, severity: 1, message: "not allowed here: '!'" }] : [] };
  if (method === "surety/follow") return { moments: [{ state: "0", moves: [], taken: "a" }, { state: "1", moves: [] }] };
  if (method !== "surety/system") return null;
  const checks = text.split(/\s+/).filter((w) => w !== "").map((name) => ({ kind: "safety", name }));
  return { system: "S", whole: "S", components: [], properties: [], actions: {}, constants: {}, checks };
}

async function opened(path: string, text: string, sha256 = kHash): Promise<() => void> {
  const stop = answerQuestions(said);
  const open = openFile(path);
  (await next("GET /api/file")).answer({ text, sha256, read_only: false });
  await open;
  return stop;
}

const result = (more: object = {}) => ({ kind: "safety", property: "P", verdict: "holds", states: 1, transitions: 1, max_states: 1, max_transitions: 1, time_s: 0, ...more });
const look = (at = 0) => lookOf(state, state.rows[at]!);

async function answerJob(job: string, checks: object[], events: object[] = [{ n: 1, t: 0, event: "start", argv: [] }]): Promise<void> {
  (await next(`GET /api/jobs/${job}/events`)).stream(events);
  (await next(`GET /api/jobs/${job}/report`)).answer({ schema: 1, checks });
  await settle();
}

test("the file that was asked for last is opened, whichever answer comes first", async () => {
  const stop = answerQuestions(said);
  const [a, b] = [openFile("a.lts"), openFile("b.lts")];
  const late = await next("GET /api/file?path=a.lts");
  (await next("GET /api/file?path=b.lts")).answer({ text: "B", sha256: kHash, read_only: false });
  assert.equal(await b, true);
  late.answer({ text: "A", sha256: kHash, read_only: false });
  assert.equal(await a, false);
  assert.deepEqual([state.doc?.path, state.doc?.text, state.rows.map((r) => r.name)], ["b.lts", "B", ["B"]]);
  stop();
});

test("a file that cannot be read any more says nothing when another one is open by then", async () => {
  const stop = answerQuestions(said);
  const [a, b] = [openFile("a.lts"), openFile("b.lts")];
  (await next("GET /api/file?path=b.lts")).answer({ text: "B", sha256: kHash, read_only: false });
  await b;
  (await next("GET /api/file?path=a.lts")).answer({ error: { code: "missing", message: "there is no such file" } }, 404);
  await a;
  assert.equal(state.message, undefined);
  stop();
});

test("a question waits until the process has the text that it is about, and a text until questions are answered", async () => {
  const open = openFile("a.lts");
  (await next("GET /api/file")).answer({ text: "A", sha256: kHash, read_only: false });
  (await next("POST /api/models")).answer({ model: "m1" });
  const asked = await next("POST /api/models/m1"); // the diagnostics of the first text
  editText("B");
  const hover = askModel("textDocument/hover");
  await settle();
  assert.deepEqual(waiting.map((r) => r.line), [], "the process still answers about A");
  asked.answer({ result: { items: [] } });
  const change = await next("PATCH /api/models/m1");
  assert.equal(change.body.text, "B");
  await settle();
  assert.deepEqual(waiting.map((r) => r.line), [], "the process has not got B yet");
  change.answer({});
  const question = await next("POST /api/models/m1");
  assert.equal(question.body.method, "textDocument/hover");
  question.answer({ result: null });
  await hover;
  const stop = answerQuestions(said);
  await open;
  await new Promise((go) => setTimeout(go, 300)); // what was typed is read
  assert.equal(state.model?.version, state.doc?.version);
  stop();
});

test("a process that is gone comes back, for several questions at once, and one that cannot be opened is tried again", async () => {
  const stop = await opened("a.lts", "A");
  stop();
  const two = [askModel("textDocument/hover"), askModel("textDocument/hover")];
  for (let i = 0; i < 2; ++i) (await next("POST /api/models/")).answer({ error: { code: "missing", message: "not open" } }, 404);
  await settle();
  assert.deepEqual(waiting.map((r) => r.line), ["POST /api/models"]);
  (await next("POST /api/models")).answer({ error: { code: "busy", message: "busy" } }, 503);
  for (const one of two) await assert.rejects(one, /busy/);
  const again = askModel("textDocument/hover");
  (await next("POST /api/models")).answer({ model: "m7" });
  (await next("POST /api/models/m7")).answer({ result: 7 });
  assert.equal(await again, 7);
});

test("an answer about the file before is nobody's, and its question is not asked of the next one", async () => {
  const stop = await opened("a.lts", "A");
  stop();
  const asked = assert.rejects(askModel("surety/follow"), /another one/);
  const question = await next("POST /api/models/");
  const go = await opened("b.lts", "B");
  question.answer({ error: { code: "missing", message: "not open" } }, 404);
  await asked;
  assert.deepEqual(lines.filter((l) => l === "POST /api/models").length, 2, "one process for each file");
  go();
});

test("what was typed is kept; if the file is another one by then, saving asks, and does not write over it", async () => {
  const stop = await opened("a.lts", "A");
  editText("A mine");
  await opened("b.lts", "B");
  const back = openFile("a.lts");
  (await next("GET /api/file")).answer({ text: "A theirs", sha256: kOther, read_only: false });
  await back;
  assert.deepEqual([state.doc?.text, state.doc?.saved], ["A mine", "A theirs"]);
  assert.match(state.message!.text, /somebody else/);
  const saving = saveFile();
  const put = await next("PUT /api/file");
  assert.equal(put.body.if_sha256, kHash, "that of the text it was written from");
  put.answer({ error: { code: "stale", message: "the file has changed" } }, 409);
  assert.equal(await saving, false);
  assert.equal(state.dialog, "changed");
  const thrown = discardDraft();
  (await next("GET /api/file")).answer({ text: "A theirs", sha256: kOther, read_only: false });
  await thrown;
  assert.equal(state.doc?.text, "A theirs");
  stop();
});

test("what is typed while a text is being saved is not saved, and kept", async () => {
  const stop = await opened("a.lts", "A");
  editText("A b");
  const saving = saveFile();
  const put = await next("PUT /api/file");
  editText("A b c");
  const twice = saveFile();
  put.answer({ sha256: kOther });
  (await next("GET /api/files")).answer([]);
  await saving;
  assert.deepEqual([state.doc?.saved, state.doc?.text], ["A b", "A b c"]);
  assert.match(localStorage.getItem("surety-draft:models/a.lts") ?? "", /A b c$/);
  const second = await next("PUT /api/file");
  assert.deepEqual([second.body.text, second.body.if_sha256], ["A b c", kOther], "over what the first has written");
  second.answer({ sha256: kHash });
  (await next("GET /api/files")).answer([]);
  await twice;
  assert.equal(localStorage.getItem("surety-draft:models/a.lts"), null);
  stop();
});

test("lines that end as on Windows do so again in the file, and to the byte in a check of what is on disk", async () => {
  const stop = await opened("a.lts", "P\r\nQ\r\n");
  assert.deepEqual([state.doc?.text, state.doc?.saved], ["P\nQ\n", "P\nQ\n"]);
  void runJob({ command: "check", path: "a.lts", options: {} });
  assert.equal((await next("POST /api/jobs")).body.text, "P\r\nQ\r\n");
  editText("P\nQ\nR\n");
  void runJob({ command: "check", path: "a.lts", options: {} });
  assert.equal((await next("POST /api/jobs")).body.text, "P\r\nQ\r\nR\r\n");
  void saveFile();
  assert.equal((await next("PUT /api/file")).body.text, "P\r\nQ\r\nR\r\n");
  stop();
});

test("a file with both kinds of line ends is what it is until it is edited", async () => {
  const stop = await opened("a.lts", "P\r\nQ\nR\n");
  assert.equal(state.doc?.text, state.doc?.saved);
  void runJob({ command: "check", path: "a.lts", options: {} });
  assert.equal((await next("POST /api/jobs")).body.text, "P\r\nQ\nR\n");
  stop();
});

test("a check takes the text of the editor, not what is on disk by then, and one that waits that of when it was asked for", async () => {
  const stop = await opened("a.lts", "P Q R");
  editText("P Q R S");
  const all = runAll(); // before what was typed has been read
  const requests = [await next("POST /api/jobs"), await next("POST /api/jobs")];
  await all;
  assert.deepEqual(requests.map((r) => [r.body.text, r.body.options.property[0]]), [["P Q R S", "P"], ["P Q R S", "Q"]]);
  assert.deepEqual(state.rows.map((r) => r.name), ["P", "Q", "R", "S"], "the one that was typed is among them");
  assert.deepEqual(state.rows.map((_, i) => look(i)), ["waiting", "waiting", "waiting", "waiting"]);
  editText("P Q R S T");
  requests[0]!.answer({ job: "j1", command_line: "surety check a.lts" });
  await answerJob("j1", [result()]);
  const third = await next("POST /api/jobs");
  assert.deepEqual([third.body.text, third.body.options.property[0]], ["P Q R S", "R"]);
  assert.equal(look(0), "stale");
  stop();
});

test("a text with an error is not checked: its error is said", async () => {
  const stop = await opened("a.lts", "P");
  editText("P !");
  await runAll();
  assert.match(state.message!.text, /line 1: not allowed here/);
  assert.equal(lines.some((l) => l === "POST /api/jobs"), false);
  stop();
});

test("a verdict is that of its text: a run that ends without one does not make the one before its own", async () => {
  const stop = await opened("a.lts", "P");
  runRow("safety P");
  (await next("POST /api/jobs")).answer({ job: "j1", command_line: "c" });
  await answerJob("j1", [result()]);
  assert.equal(look(), "holds");
  editText("P Q");
  assert.equal(look(), "stale");
  runRow("safety P");
  (await next("POST /api/jobs")).answer({ job: "j2", command_line: "c" });
  await answerJob("j2", [], [{ n: 1, t: 0, event: "ended", signal: "SIGSEGV" }]);
  assert.equal(look(), "stale", "it has crashed, and nothing is known of this text");
  stop();
});

test("a run that was begun earlier and ends later does not hide what is known", async () => {
  const stop = await opened("a.lts", "P");
  const whole = runJob({ command: "check", path: "a.lts", options: {} });
  (await next("POST /api/jobs")).answer({ job: "j1", command_line: "c" });
  await settle();
  runRow("safety P");
  (await next("POST /api/jobs")).answer({ job: "j2", command_line: "c" });
  await answerJob("j2", [result({ verdict: "violated", trace: ["a"] })]);
  assert.equal(look(), "violated");
  await answerJob("j1", [result()]);
  await whole;
  assert.equal(look(), "violated");
  stop();
});

test("another file is opened while one is checked: nothing of it is shown there, and all of it when one comes back", async () => {
  const stop = await opened("a.lts", "P Q");
  runRow("safety P");
  runRow("safety Q");
  const request = await next("POST /api/jobs");
  await opened("b.lts", "P");
  request.answer({ job: "j1", command_line: "c" });
  (await next("POST /api/jobs")).answer({ job: "j2", command_line: "c" });
  await answerJob("j1", [result()]);
  assert.deepEqual([look(), state.rows[0]!.job, state.selectedJob], ["not run", undefined, undefined]);
  const back = openFile("a.lts");
  (await next("GET /api/file")).answer({ text: "P Q", sha256: kHash, read_only: false });
  await back;
  assert.deepEqual([look(0), look(1)], ["holds", "waiting"]);
  await answerJob("j2", [result({ property: "Q" })]);
  assert.equal(look(1), "holds");
  stop();
});

test("a row that is aborted before its job has a name is aborted when it has one", async () => {
  const stop = await opened("a.lts", "P");
  runRow("safety P");
  const request = await next("POST /api/jobs");
  abortRow("safety P");
  assert.equal(look(), "not run");
  request.answer({ job: "j1", command_line: "c" });
  await next("POST /api/jobs/j1/cancel");
  await answerJob("j1", [result({ verdict: "unknown", why: "it was interrupted" })]);
  assert.deepEqual([look(), anyRunning()], ["unknown", false]);
  stop();
});

test("the trace that was asked for last is shown, whichever was followed first", async () => {
  const stop = await opened("a.lts", "P Q");
  for (const [name, job] of [["P", "j1"], ["Q", "j2"]] as const) {
    runRow(`safety ${name}`);
    (await next("POST /api/jobs")).answer({ job, command_line: "c" });
    await answerJob(job, [result({ property: name, verdict: "violated", trace: ["a"] })]);
  }
  stop();
  const [p, q] = [showTrace("safety P"), showTrace("safety Q")];
  assert.deepEqual([walkOf(state), state.tracing], [undefined, "Q"], "no other trace is shown in its place");
  const late = await next("POST /api/models/");
  const moments = [{ state: "0", moves: [], taken: "a" }, { state: "1", moves: [] }];
  (await next("POST /api/models/")).answer({ result: { moments } });
  await q;
  late.answer({ result: { moments } });
  await p;
  assert.deepEqual([walkOf(state)?.title, state.walks.length, state.tracing], ["Q", 1, undefined]);
});

test("a trace that comes when another file is open is not put there", async () => {
  const stop = await opened("a.lts", "P");
  runRow("safety P");
  (await next("POST /api/jobs")).answer({ job: "j1", command_line: "c" });
  await answerJob("j1", [result({ verdict: "violated", trace: ["a"] })]);
  stop();
  const shown = showTrace("safety P");
  const late = await next("POST /api/models/");
  const go = await opened("b.lts", "P");
  late.answer({ result: { moments: [{ state: "0", moves: [] }] } });
  await shown;
  assert.deepEqual([state.walks, state.tracing], [[], undefined]);
  go();
});

test("a walk is through one system: with other constants it is one of before", async () => {
  const stop = await opened("a.lts", "P");
  runRow("safety P");
  (await next("POST /api/jobs")).answer({ job: "j1", command_line: "c" });
  await answerJob("j1", [result({ verdict: "violated", trace: ["a"] })]);
  await showTrace("safety P");
  assert.equal(presentWalk(state)?.title, "P");
  state.define = { K: 3 };
  assert.equal(presentWalk(state), undefined);
  assert.equal(walkOf(state)?.title, "P");
  stop();
});

test("the next server has its own jobs of the same names, and its own processes", async () => {
  const stop = await opened("a.lts", "P Q");
  runRow("safety P");
  (await next("POST /api/jobs")).answer({ job: "j1", command_line: "c" });
  await answerJob("j1", [result()]);
  location.hash = "#t=second";
  const again = start();
  (await next("GET /api/hello")).answer(hello);
  (await next("GET /api/files")).answer([]);
  await again;
  assert.equal(lines.filter((l) => l === "POST /api/models").length, 2, "the process of the first server is not asked");
  assert.equal(look(0), "holds", "what was told is still there");
  assert.equal(state.jobs["j1"]!.lost, true);
  runRow("safety Q");
  (await next("POST /api/jobs")).answer({ job: "j1", command_line: "c" });
  await answerJob("j1", [result({ property: "Q", verdict: "violated", trace: ["a"] })]);
  assert.deepEqual([look(0), look(1)], ["holds", "violated"]);
  assert.deepEqual(Object.values(state.jobs).map((j) => [j.id, j.name, j.row, j.lost ?? false]), [["j1", "j1", "safety P", true], ["j1'", "j1", "safety Q", false]]);
  stop();
});

test("events that a broken stream told already are not taken in again", async () => {
  const stop = await opened("a.lts", "P");
  const job = runJob({ command: "check", path: "a.lts", options: {} });
  (await next("POST /api/jobs")).answer({ job: "j1", command_line: "c" });
  const premise = (n: number) => ({ n, t: n, event: "premise", text: `${n}`, holds: true, states: 1 });
  const body = new ReadableStream({
    start(to) {
      to.enqueue(new TextEncoder().encode([premise(1), premise(2)].map((e) => `data: ${JSON.stringify(e)}\n\n`).join("")));
      setTimeout(() => to.error(new Error("broken")), 10);
    },
  });
  const request = await next("GET /api/jobs/j1/events?after=0");
  request.respond(new Response(body));
  (await next("GET /api/jobs/j1/events?after=2")).stream([premise(2), premise(3)]);
  (await next("GET /api/jobs/j1/report")).answer({ schema: 1, checks: [] });
  const { recording } = await job;
  assert.deepEqual(recording.checks[0]!.premises.map((p) => p.text), ["1", "2", "3"]);
  stop();
});
