// What the browser tests stand on: the real server on a copy of the real examples, Debian's chromium, and pages that fail
// their test for every error that the browser tells.
//
//   inBrowser("Trace", (desk) => {
//     test("…", () => desk.with("#/gas_station/gas_station.lts?check=CHANGE&panel=trace", async (page) => {
//       await page.getByRole("button", { name: "forward" }).click();
//     }));
//   });
//
// SURETY is the program (build/release/surety, if it is not said); CHROMIUM the browser (/usr/bin/chromium).
// SURETY_PATIENCE: the seconds that something may take to come.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe } from "node:test";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";

export type { Page } from "playwright-core";

export const kDesktop = { width: 1366, height: 768 };
export const kPhone = { width: 390, height: 844 };
export type Scheme = "light" | "dark";

const kPatience = 1_000 * Number(process.env["SURETY_PATIENCE"] ?? 60); // ms; other tests may run beside this one
const kRoot = join(import.meta.source, "..");

export interface Wanted {
  files?: Record<string, string> | "examples"; // of the folder that is served; nothing: the examples
  words?: string[]; // of the command line
}

// The server, on a folder of its own.
export class Served {
  private constructor(
    readonly folder: string,
    readonly origin: string,
    readonly token: string,
    readonly child: ChildProcess,
  ) {}

  static async start(wanted: Wanted = {}, folder?: string, port = 0): Promise<Served> {
    const there = folder ?? (await makeFolder(wanted.files ?? "examples"));
    const surety = process.env["SURETY"] ?? join(kRoot, "build/release/surety");
    const temporary = join(dirname(there), "tmp");
    await mkdir(temporary, { recursive: true });
    const child = spawn(surety, ["serve", there, `--port=${port}`, "--no-open", ...(wanted.words ?? [])], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: temporary },
    });
    const line = await new Promise<string>((done, failed) => {
      let text = "";
      child.stdout!.on("data", (part) => {
        text += String(part);
        if (text.includes("\n")) done(text);
      });
      child.on("error", failed);
      child.on("exit", (status) => failed(new Error(`${surety} serve ended with ${status}`)));
    });
    const [, origin, token] = /^(http:\/\/127\.0\.0\.1:\d+)\/#t=(\S+)/.exec(line) ?? [];
    assert.ok(origin !== undefined && token !== undefined, `an address was expected: ${line}`);
    return new Served(there, origin, token, child);
  }

  // What it keeps: texts and certificates of jobs.
  get temporary(): string {
    return join(dirname(this.folder), "tmp");
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  // Ends the server; its folder stays.
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((done) => this.child.once("exit", done));
    this.child.kill("SIGINT");
    await gone;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(dirname(this.folder), { recursive: true, force: true });
  }
}

// The page says the name of the folder, so that is always the same.
async function makeFolder(files: Exclude<Wanted["files"], undefined>): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), "surety-page-")), files === "examples" ? "examples" : "models");
  await mkdir(folder);
  if (files === "examples") await cp(join(kRoot, "examples"), folder, { recursive: true });
  else
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  return folder;
}

// A server and a browser; pages on them.
export class Desk {
  private readonly wrong = new Map<Page, string[]>();
  private readonly allowed = new Map<Page, RegExp[]>();

  constructor(
    public served: Served,
    readonly browser: Browser,
  ) {}

  // The printed address, with a link behind it.
  address(link = ""): string {
    return `${this.served.origin}/#t=${this.served.token}${link === "" ? "" : `&${link.replace(/^#/, "")}`}`;
  }

  // A new page at a link of the page (`#/FILE?…`, doc/page.md), or at the beginning; the token is known.
  async open(link = "", options: Parameters<Browser["newContext"]>[0] & { token?: boolean } = {}): Promise<Page> {
    const { token = true, ...more } = options;
    const context = await this.browser.newContext({ viewport: kDesktop, colorScheme: "light", reducedMotion: "reduce", ...more });
    context.setDefaultTimeout(kPatience);
    await context.addInitScript(() => {
      addEventListener("securitypolicyviolation", (e) =>
        console.error(`refused by the policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample} ${e.sourceFile}:${e.lineNumber}`),
      );
    });
    const page = await context.newPage();
    const wrong: string[] = [];
    this.wrong.set(page, wrong);
    page.on("console", (m) => m.type() === "error" && wrong.push(`${m.text()} (${m.location().url})`));
    page.on("pageerror", (e) => wrong.push(String(e.stack ?? e)));
    page.on("crash", () => wrong.push("the page has crashed"));
    await page.goto(token ? this.address(link) : `${this.served.origin}/${link}`);
    return page;
  }

  // Errors that a test brings about by itself.
  allow(page: Page, ...what: RegExp[]): void {
    this.allowed.set(page, [...(this.allowed.get(page) ?? []), ...what]);
  }

  async close(page: Page): Promise<void> {
    const all = this.wrong.get(page) ?? [];
    const left = all.filter((w) => !(this.allowed.get(page) ?? []).some((a) => a.test(w)));
    this.wrong.delete(page);
    this.allowed.delete(page);
    await page.context().close();
    assert.deepEqual(left, [], "the browser tells errors");
  }

  // A page for one test. Of a test that fails there is a picture in the folder of pictures.
  async with(link: string, use: (page: Page) => Promise<void>, options: Parameters<Desk["open"]>[1] = {}): Promise<void> {
    const page = await this.open(link, options);
    try {
      await use(page);
    } catch (e) {
      await page.screenshot({ path: await pictureFile(`failed-${++failures}-${process.pid}`) }).catch(() => {});
      const told = this.wrong.get(page) ?? [];
      if (told.length > 0) console.error("the browser told:", told);
      await page.context().close();
      throw e;
    }
    await this.close(page);
  }
}

let failures = 0;

// Tests that share a server and a browser.
export function inBrowser(about: string, tests: (desk: Desk) => void, wanted: Wanted = {}): void {
  describe(about, () => {
    const desk = new Desk(undefined as unknown as Served, undefined as unknown as Browser);
    before(async () => {
      desk.served = await Served.start(wanted);
      (desk as { browser: Browser }).browser = await startBrowser();
    });
    after(async () => {
      await desk.browser?.close();
      await desk.served?.close();
    });
    tests(desk);
  });
}

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    timeout: kPatience,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--force-color-profile=srgb",
      "--disable-lcd-text", // pictures with letters in shades of one colour
    ],
  });

// Where pictures are kept.
export async function pictureFile(name: string): Promise<string> {
  const folder = process.env["SURETY_PICTURES"] ?? join(kRoot, "build/page-pictures");
  await mkdir(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
