// What nobody writes by hand: long names, many checks, long traces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, kDesktop, kPhone } from "./kit";
import { look } from "./look";

const kLong = "A_PROCESS_WHOSE_NAME_IS_LONGER_THAN_THE_WINDOW_IS_WIDE_".repeat(4);
const kAction = "an_action_that_nobody_would_ever_want_to_read_or_write_".repeat(4);
const kNames = `const ${kLong}SIZE = 2
${kLong} = (${kAction} -> other.${kAction} -> ${kLong}).
property P_${kLong} = (other.${kAction} -> ${kAction} -> P_${kLong}).
||S_${kLong} = (a:${kLong} || b:${kLong} || P_${kLong} / {${kAction}/a.${kAction}, other.${kAction}/a.other.${kAction}}).
`;

const kChecks = 1_000;
const kMany = `P = (a -> b -> P).
${Array.from({ length: kChecks }, (_, i) => `property Q${i} = (a -> b -> Q${i}).`).join("\n")}
||S = (P${Array.from({ length: kChecks }, (_, i) => ` || Q${i}`).join("")}).
`;

const kSteps = 5_000; // more than are told in full at first; on a busy machine, in the time of a question
const kTrace = `const N = ${kSteps}
C = C[0],
C[i:0..N] = (when (i < N) tick -> C[i+1] | when (i == N) bang -> STOP).
property QUIET = (tick -> QUIET | bang -> ERROR).
||S = (C || QUIET).
`;

inBrowser(
  "Large models",
  (desk) => {
    test("with names wider than the window: nothing sticks out, and all of them can be read somewhere", () =>
      desk.with("#/names.lts", async (page) => {
        await page.getByRole("button", { name: "▸ check all" }).click();
        await page.locator(".check .state.violated").first().waitFor();
        const sizes = { schemes: ["light"], sizes: [kDesktop, kPhone] } as const;
        await page.getByRole("button", { name: /^trace of P_/ }).click();
        await page.getByRole("button", { name: "to the end" }).click();
        await look(page, "names-trace", sizes);
        for (const panel of ["Draw", "Transitions", "Alphabet", "Animate", "Proof", "Compare", "Experiments", "Output"]) {
          await page.getByRole("tab", { name: panel, exact: true }).click();
          await look(page, `names-${panel.toLowerCase()}`, sizes);
          const wider = await page.locator("#panel").evaluate((e) => e.scrollWidth - e.clientWidth);
          assert.ok(wider <= 1, `${panel} has to be scrolled sideways by ${wider}`);
        }
        await page.setViewportSize(kPhone);
        for (const tab of ["Files", "Text"]) {
          await page.getByRole("tab", { name: tab, exact: true }).click();
          await look(page, `names-${tab.toLowerCase()}`, { schemes: ["light"], sizes: [kPhone] });
          await page.setViewportSize(kPhone);
        }
      }));

    test("with a thousand checks: one can be run, and the text be written in", () =>
      desk.with("#/many.lts", async (page) => {
        await page.locator(".check").nth(kChecks).waitFor();
        await page.getByRole("button", { name: "run: Q999", exact: true }).click();
        await page.locator(".checks header", { hasText: "1 holds" }).waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("// word");
        await page.locator(".checks .check.chosen .state", { hasText: "text changed since" }).waitFor();
        await look(page, "thousand-checks", { schemes: ["light"], sizes: [kDesktop] });
      }));

    test("with a trace of five thousand steps: each has what changed where it is seen", () =>
      desk.with("#/trace.lts?check=QUIET&panel=trace", async (page) => {
        const moment = page.getByRole("region", { name: "the moment that is shown" });
        await moment.getByRole("heading", { name: `0 of ${kSteps + 1}` }).waitFor();
        await page.getByRole("button", { name: "to the end" }).click();
        await moment.getByText("violates QUIET").waitFor();
        await page.locator(".chart tr.at .told", { hasText: "violates QUIET" }).waitFor();
        await page.keyboard.press("ArrowLeft");
        await moment.getByRole("list", { name: "what changed" }).getByText(`C[${kSteps - 1}]`).waitFor();
        await page.locator(".chart tr", { hasText: `C[${kSteps - 2}] → C[${kSteps - 1}]` }).first().waitFor();
        assert.ok((await page.locator(".chart tbody tr").count()) <= 210);
        await look(page, "long-trace", { schemes: ["light"], sizes: [kDesktop] });
      }));
  },
  { files: { "names.lts": kNames, "many.lts": kMany, "trace.lts": kTrace } },
);
