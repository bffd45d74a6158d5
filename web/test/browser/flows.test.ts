// By the keyboard alone: whole ways through the page, in which nothing is clicked.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inBrowser } from "./kit";
import type { Page } from "./kit";

const kMostTabs = 80;

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

// What a person hears of where they are.
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const e = document.activeElement;
    if (e === null || e === document.body) return "";
    const label = e.id === "" ? null : document.querySelector(`label[for="${CSS.escape(e.id)}"]`);
    const around = e.closest("label");
    const text = e instanceof HTMLSelectElement || e instanceof HTMLInputElement ? (label ?? around)?.firstChild?.textContent : e.textContent;
    return (e.getAttribute("aria-label") ?? text ?? "").trim();
  });

// Presses Tab until it is there.
async function tabTo(page: Page, what: RegExp, key = "Tab"): Promise<void> {
  const met: string[] = [];
  for (let i = 0; i < kMostTabs; ++i) {
    const at = await focused(page);
    if (what.test(at)) return;
    met.push(at.slice(0, 30));
    await page.keyboard.press(key);
  }
  assert.fail(`${String(what)} cannot be reached by ${key}: ${met.join(" | ")}`);
}

async function choose(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "words of a command" }).waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
}

const verdict = (page: Page, row: string) => page.locator(".check", { hasText: row }).locator(".state");

inBrowser("By the keyboard alone", (desk) => {
  test("an example is opened, an error mended, a trace walked through and forked, and one comes back", () =>
    desk.with("", async (page) => {
      await page.getByRole("heading", { name: "Open a model" }).waitFor();
      await choose(page, "tutorial/crossing_broken");
      await verdict(page, "SAFE").waitFor();

      // The last letter of TRAIN in the last line is lost, and put back by the quick fix.
      await press(page, "Alt+e", "Control+End", "ArrowUp", "End");
      for (let i = 0; i < ") || SAFE.".length; ++i) await page.keyboard.press("ArrowLeft");
      await press(page, "Backspace");
      await page.locator(".problems").getByText("there is no").waitFor();
      await press(page, "Control+Home", "F8");
      await press(page, "Control+.");
      await page.locator(".problems").waitFor({ state: "detached" });
      const text = readFileSync(join(desk.served.folder, "tutorial/crossing_broken.lts"), "utf8");
      assert.equal((await page.locator(".cm-line").allInnerTexts()).at(-2)?.split(/\s{2,}|▸/)[0]?.trim(), text.trimEnd().split("\n").at(-1));

      await press(page, "Control+Enter");
      await page.locator(".check .violated", { hasText: "violated" }).waitFor();
      await press(page, "Alt+c");
      await tabTo(page, /^trace of SAFE, 2 steps$/);
      await press(page, "Enter");
      const moment = page.locator(".trace-panel [role=status]");
      await moment.getByText("0 of 2").waitFor();
      await page.waitForFunction(() => document.activeElement?.closest(".trace-shown") !== null);
      await press(page, "ArrowRight");
      await moment.getByText("1 of 2").waitFor();
      assert.match(await page.locator(".line-of-step").first().innerText(), /^BARRIER/);

      // The other way from there: the barrier goes down first.
      await press(page, "f");
      await page.getByRole("button", { name: "fork of SAFE at 1" }).first().waitFor();
      await page.waitForFunction(() => document.activeElement?.closest(".animate-panel") !== null);
      await page.locator(".animate-panel").getByRole("button", { name: /\bdown\b/ }).waitFor();
      await press(page, "1");
      await page.locator(".animate-panel [role=status]").getByText("2 of 2").waitFor();
      await page.getByText(/^down BARRIER/).first().waitFor();

      // And back to the trace, which is where it was.
      await tabTo(page, /^✗ SAFE$/, "Shift+Tab");
      await press(page, "Enter", "Alt+5");
      await moment.getByText("1 of 2").waitFor();
      await page.waitForFunction(() => document.activeElement?.closest(".trace-shown") !== null);
      await press(page, "End");
      await moment.getByText("2 of 2").waitFor();
      await page.getByText("violates SAFE").first().waitFor();
    }));

  test("a property is proved by asym, the conjectures walked through, the certificate checked again and saved", () =>
    desk.with("", async (page) => {
      await page.getByRole("heading", { name: "Open a model" }).waitFor();
      await choose(page, "Open tutorial/crossing.lts");
      await verdict(page, "SAFE").waitFor();

      await press(page, "Alt+h");
      await page.waitForFunction(() => document.activeElement?.tagName === "SELECT");
      assert.equal(await focused(page), "method");
      await page.keyboard.type("asym");
      await page.locator(".how").getByText("sides: chosen by surety").waitFor();
      await tabTo(page, /^choose them$/);
      await press(page, "Enter");
      await page.waitForFunction(() => document.activeElement?.hasAttribute("data-chip"));
      assert.match(await focused(page), /^BARRIER in M1/);
      await tabTo(page, /^let surety choose$/);
      await press(page, "Enter", "Alt+h");
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("how: asym"));
      await tabTo(page, /^run: SAFE$/);
      await press(page, "Enter");
      await verdict(page, "SAFE").getByText("holds").waitFor();

      await tabTo(page, /^proof of SAFE$/);
      await press(page, "Enter");
      await page.getByText("conjecture 5 of 5: 3 states").waitFor();
      await page.waitForFunction(() => document.activeElement?.closest(".proof") !== null);
      await press(page, "Home");
      for (const [k, why] of ["alphabet too small", "too weak", "alphabet too small", "too weak", "holds"].entries()) {
        await page.getByText(`conjecture ${k + 1} of 5: `).waitFor();
        await page.locator(".proof section.reason").getByText(why).waitFor();
        await press(page, "ArrowRight");
      }

      await tabTo(page, /re-check$/);
      await press(page, "Enter");
      await page.getByText("accepted: every premise holds").waitFor();
      assert.match(await focused(page), /re-check$/, "the focus stays");
      await tabTo(page, /^save$/);
      await press(page, "Enter");
      await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("proofs.json");
      await press(page, "Enter");
      await page.locator(".said", { hasText: "the certificate is in proofs.json" }).waitFor();
      assert.ok(existsSync(join(desk.served.folder, "proofs.json")));
      await page.waitForFunction(() => document.activeElement?.textContent === "save"); // the focus is where it was
    }));

  test("an example of the gallery is opened, and the text has the focus, which can be left", () =>
    desk.with("", async (page) => {
      await page.getByRole("heading", { name: "Open a model" }).waitFor();
      await tabTo(page, /^Channel, FSP, broken$/);
      await press(page, "Enter");
      await page.waitForFunction(() => document.activeElement?.classList.contains("cm-content"));
      await press(page, "Escape", "Tab");
      await page.waitForFunction(() => document.activeElement?.classList.contains("cm-content") === false);
    }));
});
