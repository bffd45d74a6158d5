// Walks through a system by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

inBrowser("Animate", (desk) => {
  test("groups by a menu what can happen", () =>
    desk.with("#/fsp/colours.lts?panel=animate", async (page) => {
      await page.getByRole("button", { name: "start", exact: true }).click();
      await page.getByLabel("groups").selectOption("menu");
      await page.getByRole("group", { name: "TRY" }).getByRole("button").first().click();
      await page.getByText("1 of 1", { exact: true }).waitFor();
      await look(page, "animate-menu");
    }));

  test("comes to a deadlock, and says so", () =>
    desk.with("#/philosophers/philosophers_broken.lts?panel=animate", async (page) => {
      await page.getByRole("button", { name: "start", exact: true }).click();
      for (const action of ["take.1.1", "take.2.2"]) await page.locator(".offer button", { hasText: action }).first().click();
      await page.getByText(/deadlock: nothing can happen/).waitFor();
      await page.getByText("Nothing can happen.").waitFor();
      await look(page, "animate-deadlock");
      await page.keyboard.press("Backspace");
      await page.locator(".offer button", { hasText: "take.2.2" }).first().waitFor();
    }));

  test("breaks a property, and another way is tried from the moment before", () =>
    desk.with("#/channel/channel_broken.lts?check=ORDER&panel=trace", async (page) => {
      await page.getByRole("button", { name: "to the end" }).click();
      await page.getByRole("tab", { name: "Animate" }).click();
      await page.locator(".standing.violated").waitFor();
      await look(page, "animate-broken");
      await inDocument(page, "page/animate");
      await page.getByRole("button", { name: "◀ back" }).click();
      await page.getByRole("button", { name: "fork here" }).click();
      const walks = page.getByRole("group", { name: "walks" });
      await walks.getByRole("button", { name: /^fork of ORDER at \d+$/ }).waitFor();
      assert.equal(await walks.getByRole("button", { pressed: true }).innerText().then((t) => /^fork of/.test(t)), true);
      await look(page, "animate-forked");
    }));
});
