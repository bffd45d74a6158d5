// Scripts in models: nothing of a text or of a name is taken for HTML, in any panel.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./kit";
import type { Page } from "./kit";

const kBad = `<img src=x onerror=\\"document.title='owned'\\">`;
const kLabel = "<img src=x onerror='document.title=1'>";

// Labels of .aut files can be any text.
const kMachine = `des (0, 3, 3)
(0, "${kLabel}", 1)
(1, "<script>document.title=2</script>", 2)
(2, "</text></svg><b>bold</b>", 0)
`;
const kProgram = `/* ${kBad} */
mtype = { a };
byte x;
active proctype P() { printf("<img src=x onerror='document.title=3'>"); x = 1; assert(x == 0) }
`;

inBrowser(
  "A script in a model",
  (desk) => {
    // The editor has images of its own beside what is put into the text.
    const nothingCameOfIt = async (page: Page): Promise<void> => {
      assert.equal(await page.locator("img:not(.cm-widgetBuffer), b.bold, script:not([src])").count(), 0);
      assert.doesNotMatch(await page.title(), /[123]|owned/);
    };

    test("stays text in the labels of every panel", () =>
      desk.with("#/bad.aut", async (page) => {
        await page.locator(".check").first().waitFor();
        await page.getByRole("button", { name: "▸ check all" }).click();
        await page.locator(".check .state.holds").first().waitFor();
        await page.locator('svg[role="graphics-document"]').first().waitFor();
        await nothingCameOfIt(page);
        for (const panel of ["Draw", "Transitions", "Alphabet", "Animate", "Trace", "Proof", "Compare", "Experiments", "Output"]) {
          await page.getByRole("tab", { name: panel }).click();
          if (panel === "Animate") {
            await page.getByRole("button", { name: "start", exact: true }).click();
            await page.locator(".animate-panel button", { hasText: kLabel }).first().waitFor();
            await page.keyboard.press("1");
          }
          await page.waitForTimeout(200);
          await nothingCameOfIt(page);
        }
      }));

    test("stays text in what a program prints, in the names of files, and in messages", () =>
      desk.with("#/bad.pml", async (page) => {
        await page.locator(".check").first().waitFor();
        await page.getByRole("button", { name: "▸ check all" }).click();
        await page.locator(".check .state.violated").first().waitFor();
        await page.getByRole("button", { name: /^trace of/ }).first().click();
        await page.getByRole("button", { name: "to the end" }).click();
        await nothingCameOfIt(page);
        await page.getByRole("button", { name: "<i>name<i>.lts" }).click();
        await page.locator(".problems").getByText("<u>").first().waitFor();
        assert.equal(await page.locator("i, u").count(), 0);
        await nothingCameOfIt(page);
      }));
  },
  { files: { "bad.aut": kMachine, "bad.pml": kProgram, "<i>name<i>.lts": `import P = "<u>.aut"\n||S = P.\n` } },
);
