import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const kFirstLoad = 180 * 1024;

// What the page imports before it shows anything: its own file, and what that imports in turn.
async function firstLoad(assets: string, file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = await readFile(join(assets, file), "utf8");
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) await firstLoad(assets, name!, seen);
  return seen;
}

test("the first load is at most 180 KB compressed, without panels and layouts; there is an index and a list of licences", async () => {
  const out = await mkdtemp(join(tmpdir(), "surety-page-"));
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.source, "build.mjs"), `--out=${out}`]);
    const html = await readFile(join(out, "index.html"), "utf8");
    const named = [...html.matchAll(/\/assets\/([\w.-]+)/g)].map((m) => m[1]!);
    const assets = join(out, "assets");
    const there = await readdir(assets);
    for (const name of named) assert.ok(there.includes(name), name);
    const script = named.find((n) => n.startsWith("page-"))!;
    const loaded = await firstLoad(assets, script);
    assert.ok(![...loaded].some((f) => /^(proof|experiments|layout)-/.test(f)), [...loaded].join(" "));
    let bytes = gzipSync(html).length;
    for (const f of [...loaded, named.find((n) => n.startsWith("style-"))!]) bytes += gzipSync(await readFile(join(assets, f))).length;
    assert.ok(bytes <= kFirstLoad, `${bytes} bytes`);
    assert.ok(bytes > 50 * 1024, `${bytes} bytes: that is not all of it`);
    assert.ok(/style="|onclick=|<script>/.test(html) === false);
    const licences = await readFile(join(out, "licences.txt"), "utf8");
    for (const name of ["preact", "@codemirror/view", "@viz-js/viz", "Eclipse Public License"]) assert.ok(licences.includes(name), name);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});
