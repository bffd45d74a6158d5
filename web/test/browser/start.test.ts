// Before there is a model: the gallery, and what the page says when it cannot ask the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, Served } from "./kit";
import { look } from "./look";
import { inDocument } from "./pictures";

inBrowser(
  "An empty folder",
  (desk) => {
    test("shows the examples, each with its broken variant, and opens one", () =>
      desk.with("", async (page) => {
        await page.getByRole("heading", { name: "Open a model" }).waitFor();
        await page.getByText("There is no model in models yet.").waitFor();
        await look(page, "gallery");
        await inDocument(page, "page/gallery");
        assert.ok((await page.locator(".gallery li").count()) >= 15);
        await page.getByRole("button", { name: "Gas station, FSP, broken" }).click();
        await page.locator(".file-name", { hasText: "gas_station_broken.lts" }).waitFor();
        await page.getByText("example", { exact: true }).waitFor();
        assert.match(new URL(page.url()).hash, /^#\/examples:gas_station\/gas_station_broken\.lts/);
      }));

    test("without the token there is nothing but the advice to take the printed address", () =>
      desk.with(
        "",
        async (page) => {
          await page.getByText("This page needs the whole address that").waitFor();
          await look(page, "token-missing");
          assert.equal(await page.getByRole("button").count(), 0);
          await page.goto(desk.address());
          await page.getByRole("heading", { name: "Open a model" }).waitFor();
          assert.doesNotMatch(page.url(), /t=/, "the token is not left in the address");
        },
        { token: false },
      ));
  },
  { files: {} },
);

inBrowser("A server that ends", (desk) => {
  test("is missed when it is needed, the text stays, and the next server is found", () =>
    desk.with("#/fsp/lights.lts", async (page) => {
      await page.locator(".check").first().waitFor();
      const { folder, port } = desk.served;
      await desk.served.stop();
      desk.allow(page, /net::ERR_\w+ .*\/api\//);
      await page.locator(".check .buttons button").first().click();
      await page.getByRole("alert").getByText("The server does not answer.").waitFor();
      await look(page, "server-gone");
      assert.match(await page.locator(".cm-content").innerText(), /LIGHT/);
      desk.served = await Served.start({}, folder, port);
      desk.allow(page, /status of 401/, /status of 404 .*api\/models/); // it has another token, and no language process
      await page.getByRole("button", { name: "try again" }).click();
      await page.getByText("This page needs the whole address that").waitFor();
      await page.goto(desk.address());
      await page.locator(".cm-content", { hasText: "LIGHT" }).waitFor();
      await page.locator(".check .buttons button").first().click();
      await page.locator(".check .state.holds").first().waitFor();
    }));
});

inBrowser(
  "A server that only reads",
  (desk) => {
    test("says so, and offers nothing to save by", () =>
      desk.with("#/fsp/lights.lts", async (page) => {
        await page.getByText("read-only", { exact: true }).waitFor();
        await page.locator(".check").first().waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.type("// a word\n");
        await page.getByLabel("not saved").waitFor();
        await look(page, "read-only");
        assert.equal(await page.getByRole("button", { name: /^save/ }).count(), 0);
      }));
  },
  { words: ["--read-only"] },
);
