// How a state of the page is looked at: light and dark, on a desktop and on a phone. What is asserted is the document; the
// pictures are for people, in build/page-pictures (SURETY_PICTURES).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kDesktop, kPhone, pictureFile } from "./kit";
import type { Page, Scheme } from "./kit";

const kAxe = readFileSync(join(import.meta.source, "node_modules/axe-core/axe.min.js"), "utf8");

export interface Looks {
  schemes?: readonly Scheme[];
  sizes?: readonly { width: number; height: number }[];
  contrast?: boolean; // not looked at where colours are the browser's own
  also?: () => Promise<void>; // what else is to be seen in each of the four
}

// `state` is the name of the pictures.
export async function look(page: Page, state: string, { schemes = ["light", "dark"], sizes = [kDesktop, kPhone], contrast = true, also }: Looks = {}): Promise<void> {
  const wrong: string[] = [];
  await settled(page, kQuiet);
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      const name = `${state}-${colorScheme}-${size.width}x${size.height}`;
      await page.screenshot({ path: await pictureFile(name) });
      for (const found of [await sticksOut(page), await overlaps(page), await violations(page, contrast && size === sizes[0])]) wrong.push(...found.map((w) => `${name}: ${w}`));
      await also?.();
    }
  }
  await page.setViewportSize(kDesktop);
  await page.emulateMedia({ colorScheme: "light" });
  assert.deepEqual(wrong, []);
}

const kQuiet = 200; // ms: what is shown may begin to be drawn a moment later

// Until nothing is read, laid out, drawn or loaded any more, and has not been for so long.
export async function settled(page: Page, quiet = 0): Promise<void> {
  await page.waitForFunction((quiet) => {
    const busy = "[data-busy], .drawing-box.waiting, .drawing-busy, .conjecture-drawing > p.dim, .panel > .empty:only-child:empty";
    const since = globalThis as { quietSince?: number };
    if (document.querySelector(busy) !== null) delete since.quietSince;
    else since.quietSince ??= performance.now();
    return since.quietSince !== undefined && performance.now() - since.quietSince >= quiet;
  }, quiet);
  await page.evaluate(() => delete (globalThis as { quietSince?: number }).quietSince);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))),
  );
}

// What a person cannot reach without scrolling sideways: the page itself, and what stands outside of the window without
// being in something that scrolls.
export function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) out.push(`the page is ${wide} points wide`);
    const scrolls = (e: Element): boolean => {
      for (let up = e.parentElement; up !== null; up = up.parentElement)
        if (getComputedStyle(up).overflowX !== "visible") return up !== document.body && up !== document.documentElement;
      return false;
    };
    for (const e of document.querySelectorAll("button, input, select, summary, a, h1, h2, h3, p, legend, label")) {
      const box = e.getBoundingClientRect();
      if (box.width === 0 || box.height === 0 || !(e as HTMLElement).checkVisibility?.()) continue;
      if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(e) && !e.classList.contains("skip"))
        out.push(`outside of the window: ${e.tagName.toLowerCase()} '${(e.textContent ?? "").trim().slice(0, 40)}' at ${Math.round(box.left)} to ${Math.round(box.right)}`);
    }
    return out;
  });
}

// Labels of drawings of up to 60 states: none lies on another one, nor on a state.
export function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    for (const svg of document.querySelectorAll<SVGSVGElement>('svg[role="graphics-document"]')) {
      const states = [...svg.querySelectorAll<SVGGElement>(".states > g")];
      if (states.length > 60 || svg.getBoundingClientRect().width === 0) continue;
      const boxes = [
        ...[...svg.querySelectorAll<SVGTextElement>(".labels text")].map((e) => ({ what: e.textContent ?? "", box: e.getBoundingClientRect() })),
        ...states.map((e) => ({ what: `state ${e.dataset["state"]}`, box: e.querySelector(".shape")!.getBoundingClientRect() })),
      ];
      const labels = boxes.length - states.length;
      for (let i = 0; i < labels; ++i)
        for (let j = i + 1; j < boxes.length; ++j) {
          const [a, b] = [boxes[i]!.box, boxes[j]!.box];
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (wide > 1 && high > 1) out.push(`labels on each other: '${boxes[i]!.what}' and '${boxes[j]!.what}' by ${wide.toFixed(1)} x ${high.toFixed(1)}`);
        }
    }
    return out;
  });
}

// What axe finds. Its source is evaluated, because a script element would be refused by the policy. Contrast takes more
// time than all other rules together, and depends on the scheme, not on the size: it is looked at in the first size only.
// The states of a drawing are all alike: of large ones they are left out.
export async function violations(page: Page, withContrast = true): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(kAxe);
  return page.evaluate(async (withContrast) => {
    interface Found {
      violations: { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(where: object, options: object): Promise<Found> } };
    const large = [...document.querySelectorAll(".drawing-box > svg > .states")].filter((g) => g.childElementCount > 60);
    const options = { resultTypes: ["violations"], rules: { "color-contrast": { enabled: withContrast } } };
    const { violations } = await axe.run({ include: [document], exclude: large }, options);
    return violations.flatMap((v) =>
      v.nodes.slice(0, 5).map((n) => `axe: ${v.id}: ${v.help}: ${n.target.join(" ")} ${(n.failureSummary ?? "").split("\n").slice(1, 2).join("").trim()}`),
    );
  }, withContrast);
}
