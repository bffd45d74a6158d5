// Measures the targets of the page and writes them as a table.
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import { kDesktop, startBrowser } from "../../web/test/browser/kit";

const kRoot = join(import.meta.source, "..");
const kSurety = process.env["SURETY"] ?? join(kRoot, "build/release/surety");
const kServe = process.env["SURETY_SERVE"] ?? join(dirname(kSurety), "surety-serve");

const kModel = readFileSync(join(kRoot, "examples/gas_station/gas_station.lts"), "utf8");
const kProgram = readFileSync(join(kRoot, "examples/mer/mer.pml"), "utf8");
// Longer than anybody waits: the puzzle of fifteen tiles.
const kEndless = `
const N = 4
range CELL = 0..N*N-1
range TILE = 1..N*N-1
C(I=0) = H[I],
H[v:0..N*N-1] = ( when (v > 0 && I % N < N-1) go[I][I+1][v] -> H[0]
                | when (v > 0 && I % N > 0)   go[I][I-1][v] -> H[0]
                | when (v > 0 && I / N < N-1) go[I][I+N][v] -> H[0]
                | when (v > 0 && I / N > 0)   go[I][I-N][v] -> H[0]
                | when (v == 0 && I % N < N-1) go[I+1][I][w:TILE] -> H[w]
                | when (v == 0 && I % N > 0)   go[I-1][I][w:TILE] -> H[w]
                | when (v == 0 && I / N < N-1) go[I+N][I][w:TILE] -> H[w]
                | when (v == 0 && I / N > 0)   go[I-N][I][w:TILE] -> H[w] ).
||S = (forall[i:CELL] C(i)).
`;

interface Row {
  what: string;
  target: string;
  measured: string;
  met: boolean;
}
const rows: Row[] = [];
function row(what: string, target: string, measured: string, met: boolean): void {
  rows.push({ what, target, measured, met });
  console.log(`${met ? "ok  " : "MISS"} ${what}: ${measured} (${target})`);
}

const sorted = (list: number[]): number[] => [...list].sort((a, b) => a - b);
const median = (list: number[]): number => sorted(list)[list.length >> 1] ?? NaN;
const most = (list: number[]): number => Math.max(...list);
const ms = (x: number): string => (x >= 1000 ? `${(x / 1000).toFixed(2)} s` : `${x < 10 ? x.toFixed(1) : Math.round(x)} ms`);
const sleep = (time: number) => new Promise((done) => setTimeout(done, time));
// "median 12 ms, worst 30 ms"
const spread = (list: number[]): string => `${ms(median(list))}, worst ${ms(most(list))}`;

// --- The server: the real one, or one whose `check` of a model called flood-… only tells events.

class Served {
  constructor(
    readonly folder: string,
    readonly origin: string,
    readonly token: string,
    readonly child: ChildProcess,
  ) {}

  static async start(files: Record<string, string>, examples = join(kRoot, "examples")): Promise<Served> {
    const folder = mkdtempSync(join(tmpdir(), "surety-bench-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const stand = mkdtempSync(join(tmpdir(), "surety-stand-"));
    const surety = join(stand, "surety");
    const flood = join(kRoot, "bench/page/flood.cjs");
    writeFileSync(surety, `#!/bin/sh\ncase "$*" in check*flood-*) exec '${process.execPath}' '${flood}' "$@" ;; esac\nexec '${kSurety}' "$@"\n`);
    chmodSync(surety, 0o755);
    const words = [`--surety=${surety}`, `--examples=${examples}`, "--port=0", "--no-open", "--jobs=2", "--", folder];
    const child = spawn(kServe, words, { stdio: ["ignore", "pipe", "inherit"] });
    const line = await new Promise<string>((done, failed) => {
      let text = "";
      child.stdout!.on("data", (part) => (text += String(part)).includes("\n") && done(text));
      child.on("exit", (status) => failed(new Error(`the server ended with ${status}`)));
    });
    const [, origin, token] = /^(http:\S+)\/#t=(\S+)/.exec(line)!;
    child.on("exit", () => [folder, stand].forEach((f) => rmSync(f, { recursive: true, force: true })));
    return new Served(folder, origin!, token!, child);
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.child.once("exit", done));
    this.child.kill("SIGINT");
    await gone;
  }

  address(link = ""): string {
    return `${this.origin}/#t=${this.token}${link === "" ? "" : `&${link}`}`;
  }
}

// Of processes: /proc/PID/stat counts in hundredths of a second.
function ticks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
const megabytes = (pid: number, file: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))?.[1] ?? NaN) / 1024;
const privateMemory = (pid: number): number =>
  megabytes(pid, "smaps_rollup", "Private_Dirty") + megabytes(pid, "smaps_rollup", "Private_Clean");

// The renderers of a browser that have a page of ours.
async function renderers(browser: Browser): Promise<number[]> {
  const session: CDPSession = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send("SystemInfo.getProcessInfo")) as { processInfo: { id: number; type: string }[] };
  await session.detach();
  return processInfo.filter((p) => p.type === "renderer").map((p) => p.id);
}

async function open(browser: Browser, served: Served, link = ""): Promise<Page> {
  const context = await browser.newContext({ viewport: kDesktop, colorScheme: "light" });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = { long: [] as number[], late: [] as number[] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => seen.long.push(...list.getEntries().map((e) => e.duration))).observe({ type: "longtask", buffered: true });
    const parse = JSON.parse.bind(JSON);
    JSON.parse = (text: string, ...rest) => {
      const value = parse(text, ...rest);
      if (typeof value?.sent === "number") seen.late.push(performance.timeOrigin + performance.now() - value.sent);
      return value;
    };
  });
  await page.goto(served.address(link));
  return page;
}
const close = (page: Page) => page.context().close();

interface Seen {
  long: number[];
  late: number[];
}
const seenOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

// The time from `act` until `there` finds something, both in the page; looked for at each change of the document.
async function until(page: Page, act: string, there: string): Promise<number> {
  return page.evaluate(
    ([act, there]) =>
      new Promise<number>((done) => {
        const is = new Function(`return (${there})`) as () => unknown;
        const began = performance.now();
        const look = () => {
          if (!is()) return;
          clearInterval(timer);
          observer.disconnect();
          done(performance.now() - began);
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        const timer = setInterval(look, 50);
        (new Function(act) as () => void)();
      }),
    [act, there] as const,
  );
}

// --- What is measured.

async function paint(served: Served): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 7; ++i) {
    const browser = await startBrowser(); // cold: nothing is kept
    const page = await open(browser, served);
    await page.waitForSelector(".top-bar");
    times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]!.startTime));
    await browser.close();
  }
  row("first contentful paint, cold", "≤ 0.5 s", spread(times), median(times) <= 500);
}

async function squiggle(browser: Browser, served: Served, file: string, target: number, what: string): Promise<void> {
  const page = await open(browser, served, `/${file}`);
  await page.locator(".check").first().waitFor();
  const times: number[] = [];
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  for (let i = 0; i < 9; ++i) {
    await page.waitForFunction(() => document.querySelector(".cm-lintRange-error") === null);
    await page.evaluate(() => {
      const seen = new Promise<number>((done) => {
        let at = 0;
        addEventListener("keydown", () => (at = performance.now()), { capture: true, once: true });
        const observer = new MutationObserver(() => {
          if (at === 0 || document.querySelector(".cm-lintRange-error") === null) return;
          observer.disconnect();
          done(performance.now() - at);
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true });
      });
      Object.assign(globalThis, { squiggle: seen });
    });
    await page.keyboard.type(")");
    times.push((await page.evaluate(() => (globalThis as unknown as { squiggle: Promise<number> }).squiggle)) - 250);
    await page.keyboard.press("Backspace");
  }
  await close(page);
  row(`key to squiggle, after the 250 ms, ${what}`, `≤ ${target} ms`, spread(times), median(times) <= target);
}

async function verdicts(browser: Browser, served: Served): Promise<void> {
  const page = await open(browser, served, "/examples:fsp/lights.lts");
  await page.locator(".check").first().waitFor();
  const times: number[] = [];
  for (let i = 0; i < 15; ++i) {
    times.push(
      await until(
        page,
        // The row held before, runs, and holds again.
        `globalThis.ran = false; document.querySelector(".check .buttons button[aria-label^=run]").click()`,
        `(globalThis.ran ||= !document.querySelector(".check .state").classList.contains("holds")) && document.querySelector(".check .state").classList.contains("holds")`,
      ),
    );
    await sleep(100);
  }
  await close(page);
  row("*check* to verdict on `lights.lts`", "≤ 80 ms", spread(times), median(times) <= 80);
}

async function flood(browser: Browser, served: Served): Promise<void> {
  const run = async (file: string, panel: string): Promise<Seen & { took: number }> => {
    const page = await open(browser, served, `/${file}?panel=${panel}`);
    await page.locator(".check").first().waitFor();
    await sleep(1000);
    await page.evaluate(() => ((globalThis as unknown as { seen: Seen }).seen.long.length = 0));
    const took = await until(
      page,
      `document.querySelector(".check .buttons button[aria-label^=run]").click()`,
      `document.querySelector(".check .buttons button[aria-label^=abort]") === null && document.querySelector(".check .buttons button[aria-label^=proof]") !== null`,
    );
    const seen = await seenOf(page);
    await close(page);
    return { ...seen, took };
  };
  const slow = await run("flood-200-300-5.lts", "proof");
  const mean = slow.late.reduce((a, b) => a + b, 0) / slow.late.length;
  row("event from child to page, 200 a second", "≤ 20 ms", `mean ${ms(mean)}, worst ${ms(most(slow.late))} of ${slow.late.length}`, mean <= 20);
  for (const panel of ["draw", "proof"]) {
    const fast = await run("flood-5000-1000-4.lts", panel);
    const worst = fast.long.length === 0 ? "none" : `${fast.long.length}, the longest ${ms(most(fast.long))}`;
    row(
      `stream of 5,000 events of 1 KB a second for 4 s, ${panel === "draw" ? "Draw" : "Proof"} shown`,
      "no task > 50 ms",
      `${fast.late.length} in ${ms(fast.took)}; tasks > 50 ms: ${worst}`,
      fast.long.length === 0 && fast.took < 5_000,
    );
  }
}

const kDrawn: [file: string, states: string, target: number, about: number][] = [
  ["examples:philosophers/philosophers.lts?K=3", "64", 300, 44],
  ["examples:smokers/smokers.lts?K=3", "300", 1_500, 297],
  ["examples:rover/rover.lts", "1,000", 1_000, 816],
  ["examples:elevator/elevator.lts?K=5", "10,000", 8_000, 9_720],
];

async function drawings(browser: Browser, served: Served): Promise<void> {
  for (const [file, size, target] of kDrawn) {
    const times: number[] = [];
    let states = "";
    let frames = "";
    let enough = true;
    const large = size === "10,000";
    for (let i = 0; i < (large ? 3 : 5); ++i) {
      const page = await open(browser, served, `/${file}${file.includes("?") ? "&" : "?"}panel=draw`);
      await page.locator(".drawing-box:not(.waiting) > *").waitFor(); // Graphviz is there
      times.push(
        await until(
          page,
          `const s = document.querySelector(".machine-bar select"); s.value = [...s.options].find((o) => o.closest("optgroup")?.label.startsWith("system") || o.value === "SYSTEM").value; s.dispatchEvent(new Event("change", { bubbles: true }))`,
          `/system: [\\d,]+ states/.test(document.querySelector(".facts")?.textContent ?? "") && document.querySelector(".drawing-box:not(.waiting) > *") !== null`,
        ),
      );
      states = /system: ([\d,]+) states/.exec(await page.locator(".facts").innerText())![1]!;
      if (i === 0) {
        await sleep(2_500); // the better layout, if there is one
        const rate = await panning(page);
        const goal = large ? 15 : 30;
        enough = rate.pan >= goal && rate.zoom >= goal;
        frames = `pan ${rate.pan.toFixed(0)}, zoom ${rate.zoom.toFixed(0)}`;
        if (large) await memory(browser, page, states);
      }
      await close(page);
    }
    row(`first picture of ${size} states (${states})`, `≤ ${target / 1000} s`, spread(times), median(times) <= target);
    row(`pan and zoom, ${states} states`, `≥ ${large ? 15 : 30} frames/s`, `${frames} frames/s`, enough);
  }
}

// Frames while the picture is dragged about, and while it is zoomed, for two seconds each.
async function panning(page: Page): Promise<{ pan: number; zoom: number }> {
  const frames = async (move: (i: number) => Promise<void>): Promise<number> => {
    const counting = page.evaluate(
      () =>
        new Promise<number>((done) => {
          const began = performance.now();
          let n = 0;
          const next = () => {
            const took = performance.now() - began;
            if (took > 2_000) done((n / took) * 1000);
            else requestAnimationFrame(next);
            ++n;
          };
          requestAnimationFrame(next);
        }),
    );
    let going = true;
    void counting.then(() => (going = false));
    for (let i = 0; going; ++i) await move(i);
    return counting;
  };
  const box = (await page.locator(".drawing-box").first().boundingBox())!;
  const [x, y] = [box.x + 12, box.y + 12]; // a corner: no state
  await page.mouse.move(x, y);
  await page.mouse.down();
  const pan = await frames((i) => page.mouse.move(x + 100 + 80 * Math.sin(i / 10), y + 100 + 80 * Math.cos(i / 10)));
  await page.mouse.up();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const zoom = await frames((i) => page.mouse.wheel(0, i % 40 < 20 ? -40 : 40));
  return { pan, zoom };
}

async function memory(browser: Browser, page: Page, states: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const heap = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
  const all = (await renderers(browser)).map(privateMemory);
  row(
    `page memory with ${states} states drawn`,
    "≤ 200 MB",
    `${(heap.usedSize / 2 ** 20).toFixed(0)} MB of objects; private memory of the browser's process ${most(all).toFixed(0)} MB`,
    most(all) <= 200,
  );
}

async function steps(browser: Browser, served: Served): Promise<void> {
  const page = await open(browser, served, "/examples:gas_station/gas_station_broken.lts?check=CHANGE&panel=trace");
  await page.locator(".trace-shown").waitFor();
  const all: number[] = [];
  for (const panel of ["Trace", "Draw", "Animate"]) {
    await page.getByRole("tab", { name: panel }).click();
    await sleep(1_000);
    const times = await page.evaluate(
      (panel) =>
        (async () => {
          const out: number[] = [];
          for (let i = 0; i < 20; ++i) {
            await new Promise((done) => setTimeout(done, 60));
            const began = performance.now();
            if (panel === "Trace")
              document.querySelector(".trace-shown")!.dispatchEvent(new KeyboardEvent("keydown", { key: i < 10 ? "ArrowRight" : "ArrowLeft", bubbles: true }));
            else if (panel === "Animate") {
              const words = i < 10 ? "back" : "forward";
              [...document.querySelectorAll<HTMLButtonElement>(".animate-panel button")].find((b) => b.textContent?.includes(words) && !b.disabled)?.click();
            } else
              [...document.querySelectorAll<HTMLButtonElement>(".drawing-tools button")][i % 2]!.click();
            await new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done, 0)));
            out.push(performance.now() - began);
          }
          return out;
        })(),
      panel,
    );
    if (panel !== "Draw") all.push(...times);
  }
  await close(page);
  row("step through a trace, to the next frame (Trace, Animate)", "≤ 50 ms", spread(all), median(all) <= 50);
}

async function aborts(browser: Browser, served: Served): Promise<void> {
  const page = await open(browser, served, "/endless.lts");
  await page.locator(".check").first().waitFor();
  const times: number[] = [];
  for (let i = 0; i < 7; ++i) {
    await page.locator(".check .buttons button[aria-label^=run]").first().click();
    await page.locator(".check .state.running").first().waitFor();
    await sleep(1_000);
    times.push(
      await until(
        page,
        `document.querySelector(".check .buttons button[aria-label^=abort]").click()`,
        `document.querySelector(".check .state.unknown") !== null`,
      ),
    );
  }
  await close(page);
  row("abort to the verdict `unknown`", "≤ 0.3 s", spread(times), median(times) <= 300);
}

async function idle(browser: Browser, served: Served): Promise<void> {
  const page = await open(browser, served, "/examples:gas_station/gas_station.lts");
  await page.locator(".check").first().waitFor();
  await page.locator(".drawing-box:not(.waiting) > *").waitFor();
  await sleep(5_000);
  let requests = 0;
  page.on("request", () => ++requests);
  const pids = await renderers(browser);
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(served.child.pid)]).toString().trim().split(/\s+/).map(Number);
  const used = () => [served.child.pid!, ...children].reduce((sum, pid) => sum + ticks(pid), 0);
  const drawn = () => pids.reduce((sum, pid) => sum + ticks(pid), 0);
  const [before, painted] = [used(), drawn()];
  await sleep(10_000);
  const server = (used() - before) / 100;
  const renderer = (drawn() - painted) / 100;
  await close(page);
  row(
    "idle for 10 s",
    "no request, no CPU",
    `${requests} requests; server and its children ${server.toFixed(2)} s of CPU, the page's process ${renderer.toFixed(2)} s`,
    requests === 0 && server === 0 && renderer <= 0.05,
  );
}

function sizes(served: Served): void {
  const size = statSync(kServe).size / 2 ** 20;
  const resident = megabytes(served.child.pid!, "status", "VmRSS");
  const peak = megabytes(served.child.pid!, "status", "VmHWM");
  row("`surety-serve`, with the page", "≤ 2 MB", `${size.toFixed(2)} MB`, size <= 2);
  row("`surety-serve`, resident after all of this", "≤ 30 MB", `${resident.toFixed(0)} MB, at most ${peak.toFixed(0)} MB`, peak <= 30);
}


async function main(): Promise<void> {
  const begin = loadavg()[0]!;
  const names = ["flood-200-300-5.lts", "flood-5000-1000-4.lts"];
  const floods = Object.fromEntries(names.map((name) => [name, "A = (a -> b -> A).\nproperty P = (a -> b -> P).\n||S = (A || P).\n"]));
  const served = await Served.start({ "gas.lts": kModel, "mer.pml": kProgram, "endless.lts": kEndless, ...floods });
  const parts = process.argv.slice(3);
  const wanted = (part: string): boolean => parts.length === 0 || parts.includes(part);
  if (wanted("paint")) await paint(served);
  const browser = await startBrowser();
  const version = browser.version();
  if (wanted("squiggle")) await squiggle(browser, served, "gas.lts", 60, "FSP");
  if (wanted("squiggle")) await squiggle(browser, served, "mer.pml", 200, "Promela");
  if (wanted("verdict")) await verdicts(browser, served);
  if (wanted("stream")) await flood(browser, served);
  if (wanted("draw")) await drawings(browser, served);
  if (wanted("step")) await steps(browser, served);
  if (wanted("abort")) await aborts(browser, served);
  if (wanted("idle")) await idle(browser, served);
  sizes(served);
  await browser.close();
  await served.stop();
  const end = loadavg()[0]!;
  const model = /model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "";
  const lines = [
    `${cpus().length} cores (${model}), Chromium ${version} without a graphics card, ${execFileSync(kSurety, ["--version"]).toString().trim()}.`,
    `Load of the machine when this began ${begin.toFixed(1)}, when it ended ${end.toFixed(1)}; the measurement itself makes a load of about 1.5.`,
    "Times are medians of some runs.",
    "",
    "| what | target | measured | |",
    "|---|---|---|---|",
    ...rows.map((r) => `| ${r.what} | ${r.target} | ${r.measured} | ${r.met ? "✓" : "missed"} |`),
    "",
  ];
  writeFileSync(process.argv[2]!, lines.join("\n"));
}

main().then(
  () => process.exit(0),
  (e) => {
    console.error(e);
    process.exit(1);
  },
);
