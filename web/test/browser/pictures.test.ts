// doc/page.md has ten pictures, each made by one of the tests.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const kHere = join(import.meta.source, "test/browser");
const kDoc = join(import.meta.source, "../doc");

test("doc/page.md has the pictures that the tests make, and no others, in less than a megabyte", () => {
  const shown = [...readFileSync(join(kDoc, "page.md"), "utf8").matchAll(/!\[[^\]]{10,}\]\((page\/\w+)\.png\)/g)].map((m) => m[1]!);
  const made = readdirSync(kHere)
    .filter((f) => f.endsWith(".test.ts"))
    .flatMap((f) => [...readFileSync(join(kHere, f), "utf8").matchAll(/inDocument\(page, "(page\/\w+)"\)/g)].map((m) => m[1]!));
  const there = readdirSync(join(kDoc, "page")).map((f) => `page/${f.replace(/\.png$/, "")}`);
  assert.equal(shown.length, 10);
  assert.deepEqual(made.sort(), [...shown].sort());
  assert.deepEqual(there.sort(), [...shown].sort());
  assert.ok(shown.reduce((sum, name) => sum + statSync(join(kDoc, `${name}.png`)).size, 0) < 1_000_000);
});
