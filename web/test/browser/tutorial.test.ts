// doc/tutorial.md, done on the page, with its pictures. What it says to type is taken from it; its commands for the terminal
// are run by tests/cli/transcripts_test.cpp.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inBrowser } from "./kit";
import type { Page } from "./kit";
import { inDocument, kPicture } from "./pictures";

const kRoot = join(import.meta.source, "..");
const kText = readFileSync(join(kRoot, "doc/tutorial.md"), "utf8");
const kBroken = readFileSync(join(kRoot, "examples/tutorial/crossing_broken.lts"), "utf8");
const kMended = readFileSync(join(kRoot, "examples/tutorial/crossing.lts"), "utf8");

const processes = (text: string): string => text.split("\n").filter((l) => /^(BARRIER|TRAIN) /.test(l)).join("\n");

// The block that is to be typed: the processes of the mended file.
const kTyped = /```\n(BARRIER[^`]*)\n```/.exec(kText)![1]!;

const why = (page: Page) => page.locator(".proof section.reason").innerText();

inBrowser(
  "The tutorial",
  (desk) => {
    test("leads to a proof and its certificate, as it says", () =>
      desk.with(
        "",
        async (page) => {
          const picture = (name: string) => inDocument(page, `tutorial/${name}`);

          // 1. Two processes.
          await page.getByRole("button", { name: "crossing.lts" }).click();
          await page.getByLabel("machine").selectOption("BARRIER");
          await page.locator('svg[role="graphics-document"] [data-state="3"]').waitFor();
          await picture("model");

          // 2. What can happen.
          await page.getByRole("tab", { name: "Animate" }).click();
          await page.getByRole("button", { name: "start" }).click();
          await page.getByRole("button", { name: /\bnear\b/ }).first().click();
          await page.getByRole("button", { name: /\bdown\b/ }).first().waitFor();
          await page.getByRole("button", { name: /\benter\b/ }).first().waitFor();
          await picture("animate");

          // 3. What must not happen.
          await page.getByRole("button", { name: "▸ check all" }).click();
          await page.getByRole("button", { name: "trace of SAFE, 2 steps" }).click();
          await page.getByRole("button", { name: "to the end" }).click();
          await page.getByText("2 of 2").first().waitFor();
          assert.match(await page.locator(".line-of-step").innerText(), /^TRAIN/);
          await picture("trace");

          // 4. Mend it.
          assert.equal(kTyped, processes(kMended));
          await page.locator(".cm-line", { hasText: "BARRIER = (near" }).click();
          await page.keyboard.press("Home");
          for (let i = 0; i < 2; ++i) await page.keyboard.press("Shift+ArrowDown");
          await page.keyboard.insertText(`${kTyped}\n`);
          await page.keyboard.press("Control+Enter");
          await page.getByText("2 holds").waitFor();
          await page.getByRole("tab", { name: "Draw" }).click();
          await picture("mended");
          await page.keyboard.press("Control+s");
          await page.locator(".said", { hasText: "saved crossing.lts" }).waitFor();
          assert.equal(processes(readFileSync(join(desk.served.folder, "crossing.lts"), "utf8")), kTyped);

          // 5. Prove it by parts.
          await page.getByRole("button", { name: "how: auto" }).click();
          await page.getByLabel("method").selectOption("asym");
          await page.getByRole("button", { name: "run again: SAFE" }).click();
          await page.locator(".check.chosen, .check", { hasText: "asym" }).getByText("holds").waitFor();
          await page.getByRole("button", { name: "how: asym" }).click();
          await page.getByRole("button", { name: "proof of SAFE" }).click();
          await page.getByRole("listbox").waitFor();
          await page.waitForFunction(() => document.activeElement?.closest(".proof") !== null);
          await page.keyboard.press("Home");
          const reasons: string[] = [];
          for (let i = 1; i <= 5; ++i) {
            await page.getByText(`conjecture ${i} of 5: `).waitFor();
            reasons.push(await why(page));
            if (i === 1) await picture("first");
            await page.keyboard.press("ArrowRight");
          }
          for (const [i, reason] of ["alphabet too small", "too weak", "alphabet too small", "too weak", "holds"].entries())
            assert.match(reasons[i]!, new RegExp(reason));
          assert.match(reasons[0]!, /near/);
          assert.match(reasons[1]!, /near, leave/);
          assert.match(reasons[3]!, /near, clear, leave/);

          // 6. Read the assumption.
          await page.getByText("conjecture 5 of 5: 3 states, 9 steps").waitFor();
          await picture("last");

          // 7. Keep the proof.
          await page.getByRole("button", { name: "re-check" }).click();
          await page.getByText("accepted: every premise holds").waitFor();
          assert.match(await page.locator(".proof").innerText(), /premise 1[^]*premise 2/);
          await page.getByRole("button", { name: "save", exact: true }).click();
          await page.getByRole("textbox", { name: "as", exact: true }).press("Enter");
          await page.locator(".said", { hasText: "the certificate is in crossing.SAFE.json" }).waitFor();
          await page.getByText("accepted: every premise holds").scrollIntoViewIfNeeded();
          await picture("certificate");

          // 8. Another train.
          await page.getByRole("button", { name: "try my own assumption" }).waitFor();
        },
        { viewport: kPicture },
      ));

    test("has the pictures that the tests make, and no others", () => {
      const shown = [...kText.matchAll(/!\[[^\]]+\]\(tutorial\/(\w+\.png)\)/g)].map((m) => m[1]!);
      assert.deepEqual(readdirSync(join(kRoot, "doc/tutorial")).sort(), shown.sort());
      const made = [...readFileSync(join(import.meta.source, "test/browser/tutorial.test.ts"), "utf8").matchAll(/picture\("(\w+)"\)/g)];
      assert.deepEqual(made.map((m) => `${m[1]!}.png`).sort(), shown);
    });
  },
  { files: { "crossing.lts": kBroken } },
);
