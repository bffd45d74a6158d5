// Pictures of the page in the documents, made by the tests so that they show what there is. With SURETY_UPDATE=1 they are
// written anew; look at them before you commit them. Otherwise the picture goes to the others, and the document has to have
// one of that name.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pictureFile } from "./kit";
import type { Page } from "./kit";
import { settled } from "./look";
import { withPalette } from "./palette";

const kDoc = join(import.meta.source, "../doc");

export const kPicture = { width: 1366, height: 768 };

// `name`: "tutorial/trace" is doc/tutorial/trace.png.
export async function inDocument(page: Page, name: string): Promise<void> {
  const file = join(kDoc, `${name}.png`);
  await page.mouse.move(0, 0); // nothing is hovered over
  await settled(page, 200);
  if (process.env["SURETY_UPDATE"] === undefined) {
    await page.screenshot({ path: await pictureFile(`doc-${name.replaceAll("/", "-")}`) });
    assert.ok(existsSync(file), `${file} is not there; SURETY_UPDATE=1 makes it`);
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, withPalette(await page.screenshot()));
}
