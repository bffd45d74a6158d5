// Every panel with a model in each language.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, kDesktop } from "./kit";
import type { Page } from "./kit";
import { look } from "./look";

interface Model {
  language: string;
  path: string;
  violated?: string; // a check that has a trace
  steps: RegExp; // what a row of Transitions has
  statement: boolean; // steps of traces have places in the text
}

const kModels: Model[] = [
  { language: "fsp", path: "gas_station/gas_station_broken.lts", violated: "CHANGE", steps: /prepay\.1/, statement: false },
  { language: "promela", path: "gas_station/gas_station_broken.pml", violated: "CHANGE", steps: /./, statement: true },
  { language: "ada", path: "gas_station/gas_station_broken.adb", violated: "CHANGE", steps: /./, statement: true },
  { language: "aut", path: "channel/output_hasty.aut", steps: /ack/, statement: false },
];

const kOne = { schemes: ["light"], sizes: [kDesktop] } as const;

async function show(page: Page, panel: string): Promise<void> {
  await page.getByRole("tab", { name: panel, exact: true }).click();
}

inBrowser("Panels", (desk) => {
  for (const { language, path, violated, steps, statement } of kModels)
    test(`of ${language} have all something to show`, () =>
      desk.with(`#/${path}`, async (page) => {
        await page.locator(".check").first().waitFor();
        await page.getByRole("button", { name: "▸ check all" }).click();
        await page.waitForFunction(() => [...document.querySelectorAll(".check .state")].every((s) => /holds|violated/.test(s.textContent ?? "")));

        await show(page, "Draw");
        await page.locator(".drawing-box > svg").waitFor();
        await look(page, `${language}-draw`, kOne);

        await show(page, "Transitions");
        await page.locator(".panel tbody tr", { hasText: steps }).first().waitFor();
        await look(page, `${language}-transitions`, kOne);

        await show(page, "Alphabet");
        await page.locator(".panel table tbody tr").first().waitFor();
        await look(page, `${language}-alphabet`, kOne);

        await show(page, "Animate");
        await page.locator(".animate-panel button.first").click();
        await page.locator(".offer button").first().click();
        await page.getByText("1 of 1", { exact: true }).waitFor();
        await look(page, `${language}-animate`, kOne);

        if (violated !== undefined) {
          await page.getByRole("button", { name: new RegExp(`^trace of ${violated}, `) }).click();
          await page.getByRole("button", { name: "to the end" }).click();
          const moment = page.getByRole("region", { name: "the moment that is shown" });
          await moment.getByText(`violates ${violated}`).or(moment.getByText("is violated")).first().waitFor();
          if (statement) await moment.getByRole("button", { name: /^line \d+$/ }).first().waitFor();
          assert.ok((await page.locator(".line-of-step").count()) >= 1, "the text has the line of the step");
          await look(page, `${language}-trace`, kOne);
        }

        await page.getByRole("button", { name: /^proof of / }).first().click();
        await page.locator(".proof-heading", { hasText: /holds|violated/ }).waitFor();
        await look(page, `${language}-proof`, kOne);

        await show(page, "Compare");
        await page.locator(".compare select").nth(1).selectOption({ index: 1 });
        await look(page, `${language}-compare`, kOne);

        await show(page, "Experiments");
        await page.locator(".experiments button[type=submit]").waitFor();
        await look(page, `${language}-experiments`, kOne);

        await show(page, "Output");
        await page.getByRole("article", { name: "what it said" }).getByText(/holds|violated/).first().waitFor();
        assert.match(await page.locator(".foot code").innerText(), /^\$ surety check .*--property/);
        await look(page, `${language}-output`, kOne);
      }));
});
