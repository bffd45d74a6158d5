// The page as some people have it: large, in few colours, without motion, on a small screen, and the tables beside drawings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./kit";
import { look, settled } from "./look";

const kTrace = "#/gas_station/gas_station_broken.lts?check=CHANGE&panel=trace&step=7";
const kProof = "#/rover/rover.lts?check=CLEARED_FIRST&method=asym&panel=proof&k=20";

inBrowser("The page", (desk) => {
  test("at 200 %: a window of half the size, with nothing to be scrolled sideways", () =>
    desk.with(
      kTrace,
      async (page) => {
        await page.getByRole("heading", { name: /^7 of \d+: / }).waitFor();
        await look(page, "zoom-200", { sizes: [{ width: 683, height: 384 }] });
      },
      { deviceScaleFactor: 2 },
    ));

  test("on 320 points, in each of its columns", () =>
    desk.with(kTrace, async (page) => {
      await page.getByRole("heading", { name: /^7 of \d+: / }).waitFor();
      const narrow = { width: 320, height: 640 };
      await page.setViewportSize(narrow);
      for (const [tab, state] of [["Files", "narrow-files"], ["Text", "narrow-text"], ["Checks and panels", "narrow-checks"]] as const) {
        await page.setViewportSize(narrow);
        await page.getByRole("tab", { name: tab }).click();
        await look(page, state, { sizes: [narrow], schemes: ["light"] });
      }
    }));

  test("with forced colours", () =>
    desk.with(
      kTrace,
      async (page) => {
        await page.getByRole("heading", { name: /^7 of \d+: / }).waitFor();
        await look(page, "forced-colours", { contrast: false });
        assert.equal(await page.evaluate(() => matchMedia("(forced-colors: active)").matches), true);
      },
      { forcedColors: "active" },
    ));

  test("without motion: the states of the next conjecture stand where they belong at once", () =>
    desk.with(kProof, async (page) => {
      await page.getByRole("heading", { name: /^conjecture 20 of 40/ }).waitFor();
      const places = () => page.locator(".conjecture-drawing [role=graphics-symbol]").evaluateAll((all) => all.map((e) => e.getAttribute("transform")));
      await settled(page);
      await page.getByRole("button", { name: "step back" }).click();
      await page.getByRole("heading", { name: /^conjecture 19 of 40/ }).waitFor();
      await page.locator(".conjecture-drawing svg").waitFor();
      const first = await places();
      await new Promise((go) => setTimeout(go, 400)); // longer than a move takes
      assert.deepEqual(await places(), first);
      await look(page, "reduced-motion");
    }));

  test("as tables: the steps of a machine, and who has which action", () =>
    desk.with("#/gas_station/gas_station.lts?panel=transitions", async (page) => {
      await page.locator(".panel table tbody tr").nth(3).waitFor();
      await look(page, "transitions");
      await page.getByRole("tab", { name: "Alphabet" }).click();
      await page.locator(".panel table").waitFor();
      await look(page, "alphabet");
    }));
});
