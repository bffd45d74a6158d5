// Texts that change: while they are checked, while another one is opened, and on disk.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inBrowser } from "./kit";
import type { Page } from "./kit";
import { look } from "./look";

const kText = `const K = 2
P = (a -> b -> P).
property Q = (a -> b -> Q).
||S = (P || Q).
`;
// What holds does not any more, and there is another property.
const kBroken = `const K = 2
P = (a -> b -> a -> P).
property Q = (a -> b -> Q).
property R = (a -> R) + {b}.
||S = (P || Q || R).
`;
const stateOf = (page: Page, name: string) => page.locator(".check", { has: page.locator("strong", { hasText: new RegExp(`^${name}$`) }) }).locator(".state");

async function replaceAll(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

inBrowser(
  "A text that changes",
  (desk) => {
    const onDisk = (name: string) => readFileSync(join(desk.served.folder, name), "utf8");

    test("is checked as it is, at once after the last key, with what it declares by then", () =>
      desk.with("#/a.lts", async (page) => {
        await page.getByRole("button", { name: "▸ check all" }).click();
        await stateOf(page, "Q").getByText("holds").waitFor();
        await replaceAll(page, kBroken);
        await page.keyboard.press("Control+Enter");
        await stateOf(page, "Q").getByText("violated").waitFor();
        await stateOf(page, "R").getByText("violated").waitFor();
        await stateOf(page, "deadlock").getByText("holds").waitFor();
        assert.deepEqual(await page.locator(".check .state").allInnerTexts(), ["✗ violated", "✗ violated", "✓ holds"]);
        assert.equal(onDisk("a.lts"), kText);
      }));

    test("is another one while a check of it runs: the file that is opened has its own rows, and the check is there when one comes back", () =>
      desk.with("#/examples:peterson/peterson_cells.lts?K=6", async (page) => {
        await page.getByRole("button", { name: "run: MUTEX" }).click();
        await stateOf(page, "MUTEX").getByText("running").waitFor();
        await page.getByRole("button", { name: "a.lts" }).click();
        await stateOf(page, "Q").getByText("not run").waitFor();
        await page.getByRole("tab", { name: "Proof" }).click();
        await page.getByText("Nothing has been checked yet").waitFor();
        assert.equal(await page.locator(".check .state").first().innerText(), "· not run");
        await page.goBack();
        await stateOf(page, "MUTEX").getByText("running").waitFor();
        await page.getByRole("button", { name: "abort MUTEX" }).click();
        await stateOf(page, "MUTEX").getByText("unknown").waitFor();
      }));

    test("keeps the ends of its lines", () =>
      desk.with("#/windows.lts", async (page) => {
        await page.getByRole("button", { name: "K plus one" }).click();
        await stateOf(page, "Q").waitFor();
        assert.equal(await page.getByLabel("not saved").count(), 0, "a constant is not the text");
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("// a word\n");
        await page.keyboard.press("Control+s");
        await page.locator(".said", { hasText: "saved windows.lts" }).waitFor();
        assert.equal(onDisk("windows.lts"), (kText + "// a word\n").replaceAll("\n", "\r\n"));
        await page.getByRole("button", { name: "▸ check all" }).click();
        await stateOf(page, "Q").getByText("holds", { exact: false }).waitFor();
        assert.match(await stateOf(page, "Q").innerText(), /^✓ holds$/);
      }));

    test("has been written by somebody else: saving asks, in another window of the browser, too", () =>
      desk.with("#/draft.lts", async (page) => {
        await page.locator(".check").first().waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("// mine\n");
        await page.getByLabel("not saved").waitFor();
        const theirs = `// theirs\n${kText}`;
        writeFileSync(join(desk.served.folder, "draft.lts"), theirs);
        await page.goto("about:blank");
        await page.goto(desk.address("#/draft.lts"));
        await page.locator(".said", { hasText: "written by somebody else since" }).waitFor();
        await page.locator(".cm-line", { hasText: "// mine" }).waitFor();
        desk.allow(page, /status of 409/);
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+s");
        await page.getByRole("dialog", { name: "The file has changed on disk" }).waitFor();
        await look(page, "changed-on-disk");
        assert.equal(onDisk("draft.lts"), theirs, "nothing was written over");
        await page.getByRole("button", { name: "write mine over it" }).click();
        await page.locator(".said", { hasText: "saved draft.lts" }).waitFor();
        assert.equal(onDisk("draft.lts"), `${kText}// mine\n`);
      }));

    test("belongs to an example: what was typed is there again, and can be thrown away", () =>
      desk.with("#/examples:fsp/lights.lts", async (page) => {
        await page.locator(".check").first().waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("// mine\n");
        await page.getByRole("button", { name: "a.lts" }).click();
        await stateOf(page, "Q").waitFor();
        await page.goBack();
        await page.locator(".cm-line", { hasText: "// mine" }).waitFor();
        await page.getByRole("button", { name: "discard" }).click();
        await page.locator(".cm-line", { hasText: "// mine" }).waitFor({ state: "detached" });
        await page.getByText("example", { exact: true }).waitFor();
      }));
  },
  { files: { "a.lts": kText, "windows.lts": kText.replaceAll("\n", "\r\n"), "draft.lts": kText } },
);
