// Two systems beside each other; many runs in a table and a plot; what was run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

inBrowser("Compare", (desk) => {
  test("the system with its cells is the same as the plain one", () =>
    desk.with("#/peterson/peterson.lts?panel=compare", async (page) => {
      await page.locator(".check").first().waitFor();
      await page.locator(".compare select").nth(1).selectOption("peterson/peterson_cells.lts");
      await page.getByRole("button", { name: "▸ compare" }).click();
      for (const kind of ["by traces", "weakly bisimilar", "strongly bisimilar"]) await page.getByText(`✓ ${kind}: equivalent`).waitFor();
      await look(page, "compare-equal");
    }));

  test("where two differ, the play tells them apart", () =>
    desk.with("#/channel/channel.lts?panel=compare", async (page) => {
      await page.locator(".check").first().waitFor();
      await page.locator(".compare select").nth(1).selectOption("channel/channel_broken.lts");
      await page.getByRole("button", { name: "▸ compare" }).click();
      await page.getByText("✗ by traces: different").waitFor();
      await page.locator("table.play .last strong", { hasText: "cannot" }).first().waitFor();
      await look(page, "compare-different");
    }));
});

inBrowser("Experiments", (desk) => {
  test("run twelve points, one of which has no answer in time", () =>
    desk.with("#/mer/mer.lts?panel=experiments", async (page) => {
      await page.locator(".check").first().waitFor();
      await page.getByRole("button", { name: /^how:/ }).click();
      await page.getByLabel("time", { exact: true }).fill("1s");
      await page.getByLabel("time", { exact: true }).press("Tab");
      await page.getByRole("button", { name: /^how:/ }).click();
      await page.locator(".experiments").getByLabel("K", { exact: true }).fill("1..4");
      for (const [name, on] of [["auto", false], ["monolithic", true], ["minimise", true], ["asym", true]] as const)
        await page.locator(".experiments").getByLabel(name, { exact: true }).setChecked(on);
      await page.locator(".experiments").getByLabel("COMM_OR_DRIVE", { exact: true }).check();
      await page.locator(".experiments button[type=submit]").click();
      await page.locator(".points tbody tr").nth(11).waitFor();
      await page.locator(".points td.unknown").first().waitFor();
      assert.equal(await page.locator(".points tbody tr").count(), 12);
      await page.locator(".experiments svg").first().scrollIntoViewIfNeeded();
      await inDocument(page, "page/experiments");
      await look(page, "experiment");
      await page.getByRole("tab", { name: "Output" }).click();
      await page.getByRole("article", { name: "what it said" }).waitFor();
      await look(page, "output");
    }));
});
