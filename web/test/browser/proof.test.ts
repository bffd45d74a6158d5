// How proofs are found, and what their certificates say.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inBrowser } from "./kit";
import type { Page } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

const kRover = "#/rover/rover.lts?check=CLEARED_FIRST&method=asym&panel=proof";

const heading = (page: Page, at: number) =>
  page.getByRole("heading", { name: new RegExp(`^conjecture ${at} of 40: \\d+ states?, \\d+ steps?$`) });

inBrowser("A proof by learning", (desk) => {
  test("is gone through from its first conjecture to its last", () =>
    desk.with(`${kRover}&k=1`, async (page) => {
      await heading(page, 1).waitFor();
      await look(page, "proof-first");
      for (const [at, state] of [
        [20, "proof-middle"],
        [40, "proof-last"],
      ] as const) {
        await page.locator(`#step-${at - 1}`).click();
        await heading(page, at).waitFor();
        await page.locator(".conjecture-drawing svg").waitFor();
        await look(page, state);
        if (at === 20) {
          await page.setViewportSize({ width: 1366, height: 960 });
          await inDocument(page, "page/proof");
        }
      }
      await page.getByRole("heading", { name: "how it ended" }).waitFor();
      assert.match(page.url(), /k=40/);
    }));

  test("shows the two traces that made the alphabet wider", () =>
    desk.with(`${kRover}&k=5`, async (page) => {
      await heading(page, 5).waitFor();
      const traces = page.getByRole("region", { name: "two traces that do not fit together" });
      for (let at = 5; at < 40 && (await traces.count()) === 0; ++at) {
        await page.getByRole("button", { name: "step forth" }).click();
        await heading(page, at + 1).waitFor();
      }
      await traces.locator("mark").first().waitFor();
      await look(page, "proof-widening");
    }));

  test("by minimise is a chain of components with their sizes", () =>
    desk.with("#/gas_station/gas_station.lts?K=3&check=CHANGE&method=minimise&panel=proof", async (page) => {
      const table = page.getByRole("region", { name: "components that were taken in" });
      await table.waitFor();
      assert.ok((await table.locator("tbody tr").count()) >= 3);
      await look(page, "minimise");
    }));

  test("can be checked again: every premise holds", () =>
    desk.with(kRover, async (page) => {
      await page.getByRole("button", { name: "⟳ re-check" }).click();
      await page.getByText("✓ accepted: every premise holds").waitFor();
      await page.getByText("what is in it").click();
      await page.getByText(/^safety CLEARED_FIRST by rule asym/).waitFor();
      await page.locator(".certificate").scrollIntoViewIfNeeded();
      await look(page, "re-checked");
    }));
});

inBrowser("A certificate", (desk) => {
  test("that somebody has tampered with is refused, and it says why", () =>
    desk.with("#/channel/channel.lts?check=ORDER&method=asym&split=INPUT | OUTPUT&panel=proof", async (page) => {
      await page.locator(".certificate", { hasText: "checked by the independent checker" }).waitFor();
      const [proof] = readdirSync(desk.served.temporary, { recursive: true }).filter((f) => String(f).endsWith("proof.json"));
      const file = join(desk.served.temporary, String(proof));
      const text = readFileSync(file, "utf8");
      const forged = text.replace(/\[0, "ack.1", 0\],\s*/, ""); // the assumption forbids what the output does
      assert.notEqual(forged, text);
      writeFileSync(file, forged);
      await page.getByRole("button", { name: "⟳ re-check" }).click();
      await page.locator(".refused", { hasText: "safety ORDER, rule asym" }).waitFor();
      await look(page, "refused");
    }));
});
