// Counterexamples as charts and tables, with the one cursor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, kPhone } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

inBrowser("A trace", (desk) => {
  test("of a violated property, at its seventh step: chart, text and drawing show the same moment", () =>
    desk.with("#/gas_station/gas_station_broken.lts?check=CHANGE&panel=trace&step=7", async (page) => {
      const moment = page.getByRole("region", { name: "the moment that is shown" });
      await moment.getByRole("heading", { name: /^7 of \d+: / }).waitFor();
      assert.equal(await page.locator(".check.chosen .state").innerText(), "✗ violated");
      await page.getByRole("button", { name: "forward" }).click();
      await moment.getByRole("heading", { name: /^8 of \d+: / }).waitFor();
      await page.getByRole("button", { name: "back", exact: true }).click();
      await moment.getByRole("heading", { name: /^7 of \d+: / }).waitFor();
      const apart = await page.evaluate(() => {
        const middles = [...document.querySelectorAll(".chart thead th.lane")].map((e) => (e.getBoundingClientRect().left + e.getBoundingClientRect().right) / 2);
        return [...document.querySelectorAll(".chart .start-row .lifeline")].map((e, i) => Math.abs(e.getBoundingClientRect().left - middles[i]!));
      });
      assert.ok(apart.length === 6 && apart.every((d) => d < 1.5), `lines of the first row are in the middle of their lanes, but for ${apart.join(", ")} points`);
      await inDocument(page, "page/trace");
      await look(page, "trace");
      await page.setViewportSize(kPhone);
      await page.locator(".chart").scrollIntoViewIfNeeded();
      await inDocument(page, "page/phone");
      assert.match(page.url(), /step=7/);
    }));

  test("that goes on for ever has its cycle in a bracket", () =>
    desk.with("#/gas_station/gas_station.lts?panel=trace", async (page) => {
      await page.locator(".check").first().waitFor();
      await page.getByRole("button", { name: /^how:/ }).click();
      await page.getByLabel("fair choice").uncheck();
      await page.getByRole("button", { name: /^how:/ }).click();
      await page.getByRole("button", { name: "run: SERVED.1" }).click();
      await page.getByRole("button", { name: /^trace of SERVED.1/ }).click();
      await page.getByTitle("from here on it repeats").waitFor();
      await page.getByRole("button", { name: "to the end" }).click();
      await page.getByText(/↻ and again from \d+/).waitFor();
      await look(page, "lasso");
    }));

  test("of a Promela program has statements and lines", () =>
    desk.with("#/smokers/smokers_broken.pml?panel=trace", async (page) => {
      await page.locator(".check").first().waitFor();
      await page.getByRole("button", { name: "▸ check all" }).click();
      await page.getByRole("button", { name: /^trace of / }).first().click();
      const moment = page.getByRole("region", { name: "the moment that is shown" });
      await page.getByRole("button", { name: "to the end" }).click();
      await moment.locator(".statements code").first().waitFor();
      await moment.getByRole("button", { name: /^line \d+$/ }).first().waitFor();
      await look(page, "promela-trace");
    }));
});
