// The rows of checks: running, answered, not answered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./kit";
import type { Page } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

const stateOf = (page: Page, name: string) => page.locator(".check", { has: page.locator("strong", { hasText: new RegExp(`^${name}$`) }) }).locator(".state");

async function setTime(page: Page, time: string): Promise<void> {
  await page.getByRole("button", { name: /^how:/ }).click();
  await page.getByLabel("time", { exact: true }).fill(time);
  await page.getByLabel("time", { exact: true }).press("Tab");
  await page.getByRole("button", { name: /^how:/ }).click();
}

inBrowser("Checks", (desk) => {
  test("all hold", () =>
    desk.with("#/gas_station/gas_station.lts?K=3", async (page) => {
      await page.locator(".check").first().waitFor();
      await page.getByRole("button", { name: "▸ check all" }).click();
      const rows = await page.locator(".check").count();
      await page.locator(".checks header", { hasText: `${rows} holds` }).waitFor();
      assert.ok((await page.locator(".check .state").allInnerTexts()).every((t) => t === "✓ holds"));
      await page.locator(".foot code", { hasText: "surety check gas_station/gas_station.lts" }).waitFor();
      await look(page, "all-hold");
      await page.getByRole("button", { name: "help" }).click();
      await page.getByRole("dialog").waitFor();
      await look(page, "help");
    }));

  test("are done as the drawer above them says", () =>
    desk.with("#/gas_station/gas_station.lts?K=3&method=asym&panel=alphabet", async (page) => {
      await page.locator(".check").first().waitFor();
      await page.locator(".panel table").waitFor();
      await page.getByRole("button", { name: /^how:/ }).click();
      await page.getByRole("button", { name: "choose them" }).click();
      await page.getByRole("group", { name: "sides" }).getByText("OPERATOR").first().waitFor();
      await look(page, "how");
      await inDocument(page, "page/how");
    }));

  test("one runs, by several methods beside each other, until it is aborted", () =>
    desk.with("#/peterson/peterson_cells.lts?K=6&panel=proof", async (page) => {
      await page.locator(".check").first().waitFor();
      await setTime(page, "10m"); // so that it is not over before it has been looked at
      await page.getByRole("button", { name: "run: MUTEX" }).click();
      await page.locator(".race .race-lane").nth(1).waitFor();
      await page.locator(".check .numbers", { hasText: /states/ }).waitFor();
      assert.equal(await stateOf(page, "MUTEX").innerText(), "◌ running");
      await look(page, "running");
      await inDocument(page, "page/running");
      await page.getByRole("button", { name: "abort MUTEX" }).click();
      await stateOf(page, "MUTEX").getByText("unknown").waitFor();
    }));

  test("of a text that takes too long for a question are offered as one job", () =>
    desk.with("#/peterson/peterson.lts?K=5", async (page) => {
      const all = page.getByRole("button", { name: "check all as one job" });
      await all.waitFor();
      await page.locator(".checks .empty", { hasText: "takes more than a question may" }).waitFor();
      await look(page, "too-much-for-a-question");
      await all.click();
      await page.getByRole("button", { name: "abort the job" }).click();
      // It had been read by then, and there are rows; or not, and it is offered again.
      await page.locator(".check .state", { hasText: "unknown" }).or(all).first().waitFor();
    }));

  test("one is unknown by time, and the last assumption is told", () =>
    desk.with("#/mer/mer.lts?K=4&method=asym&panel=proof", async (page) => {
      await page.locator(".check").first().waitFor();
      await setTime(page, "2s");
      await page.getByRole("button", { name: "run: COMM_OR_DRIVE" }).click();
      await stateOf(page, "COMM_OR_DRIVE").getByText("unknown").waitFor();
      await page.locator(".check .reason", { hasText: /last assumption: \d+ states? over/ }).waitFor();
      await page.getByText(/stopped by time/).waitFor();
      await look(page, "unknown");
    }));

  test("an answer is of its text: after a change the row says so", () =>
    desk.with("#/fsp/lights.lts?check=ONE&panel=proof", async (page) => {
      await stateOf(page, "ONE").getByText("holds", { exact: false }).waitFor();
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("// a word\n");
      await stateOf(page, "ONE").getByText("holds, text changed since").waitFor();
      await page.getByText("of an older text").first().waitFor();
      await page.getByRole("button", { name: "⟳ re-check" }).click();
      await page.getByText("✓ accepted: every premise holds, about the text and the constants that it was made from").waitFor();
      await look(page, "older-text");
    }));
});
