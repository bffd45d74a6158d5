// The text, before anything is checked: its errors, their quick fixes, its rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

const kMisspelt = `// Lamps, with two names that are misspelt.
const LAMPS = 2
range ROOM = 1..LAMPZ
range LEVEL = 0..LAMP

LAMP = (on -> off -> LAMP).
property ORDER = (l[1].on -> l[1].off -> ORDER).
||HOUSE = (l[ROOM]:LAMP || ORDER).
`;

inBrowser(
  "A text with two errors",
  (desk) => {
    test("has them underlined and listed, and is mended by their quick fixes", () =>
      desk.with("#/lamps.lts", async (page) => {
        const problems = page.getByRole("region", { name: "problems" });
        await problems.getByText("2 errors").waitFor();
        await page.getByText("The text has errors; what it declares is listed here when it can be read.").waitFor();
        assert.equal(await page.locator(".cm-lintRange-error").count(), 2);
        await look(page, "two-errors");
        await inDocument(page, "page/errors");
        const fix = problems.getByRole("button", { name: "replace by LAMPS" });
        await fix.first().click();
        await problems.getByText("1 error", { exact: true }).waitFor();
        await fix.click();
        await problems.getByText("1 warning", { exact: true }).waitFor();
        await page.getByLabel("not saved").waitFor();
        assert.deepEqual(await page.locator(".check strong").allInnerTexts(), ["ORDER", "deadlock"]);
        assert.match(await page.locator(".cm-content").innerText(), /1\.\.LAMPS[^]*0\.\.LAMPS/);
      }));
  },
  { files: { "lamps.lts": kMisspelt } },
);

inBrowser("An example", (desk) => {
  test("is opened, its checks listed and not run, its names in the outline", () =>
    desk.with("#/gas_station/gas_station.lts", async (page) => {
      await page.locator(".check").first().waitFor();
      const names = await page.locator(".check strong").allInnerTexts();
      assert.deepEqual(names.slice(0, 3), ["MUTEX", "CHANGE", "PREPAID"]);
      assert.ok((await page.locator(".check .state").allInnerTexts()).every((t) => t === "· not run"));
      const outline = page.locator(".side details", { hasText: "Outline" });
      await outline.getByRole("button", { name: "OPERATOR", exact: true }).waitFor();
      await look(page, "not-run");
    }));

  test("of Ada and of Promela is coloured and has its checks, too", () =>
    desk.with("#/gas_station/gas_station.pml", async (page) => {
      await page.locator(".check").first().waitFor();
      await look(page, "promela-text");
      await page.goto(desk.address("#/gas_station/gas_station.adb"));
      await page.locator(".file-name", { hasText: "gas_station.adb" }).waitFor();
      await page.locator(".check").first().waitFor();
      await look(page, "ada-text");
    }));
});
