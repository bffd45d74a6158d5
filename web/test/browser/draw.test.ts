// Machines of all sizes as drawings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./kit";
import type { Page } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

// The whole system of a model, in Draw.
async function drawn(page: Page): Promise<void> {
  await page.locator(".machine-bar select").first().selectOption("SYSTEM");
}

const kSizes: [link: string, states: number, drawn: "svg" | "canvas" | "not"][] = [
  ["#/channel/channel.lts?K=4", 8, "svg"],
  ["#/philosophers/philosophers.lts?K=3", 44, "svg"],
  ["#/smokers/smokers.lts?K=3", 297, "svg"],
  ["#/rover/rover.lts", 816, "svg"],
  ["#/elevator/elevator.lts?K=5", 9_720, "canvas"],
  ["#/elevator/elevator.lts?K=6", 34_992, "not"],
];

inBrowser("Draw", (desk) => {
  for (const [link, states, how] of kSizes)
    test(`${states.toLocaleString("en")} states`, () =>
      desk.with(`${link}${link.includes("?") ? "&" : "?"}panel=draw`, async (page) => {
        await drawn(page);
        await page.locator(".facts", { hasText: `${states.toLocaleString("en")} states` }).waitFor();
        if (how === "not") await page.getByText(`${states.toLocaleString("en")} states are too many for a drawing.`).waitFor();
        else await page.locator(how === "canvas" ? ".drawing-box > canvas" : `svg[aria-label$=", ${states} states"]`).waitFor();
        if (how === "svg") assert.equal(await page.locator('.drawing [role="graphics-symbol"]').count(), states);
        await look(page, `drawing-${how === "not" ? "too-large" : states}`);
        if (states === 816) await inDocument(page, "page/draw");
      }));

  test("the neighbourhood of a state says of how many states it is a part", () =>
    desk.with("#/elevator/elevator.lts?K=6&panel=draw", async (page) => {
      await drawn(page);
      await page.getByRole("button", { name: "the neighbourhood of a state" }).click();
      await page.getByText(/^part of 34,992 states: \d+ are drawn$/).waitFor();
      await look(page, "neighbourhood");
    }));
});
