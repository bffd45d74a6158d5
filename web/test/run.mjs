// Runs the tests of the page: bundles each file by esbuild, as the page itself is bundled, and gives the bundles to
// node's own runner.
//
//   node test/run.mjs [--browser] [WORD...]     only the files whose names contain one of the words
//
// test/*.test.ts need nothing but node; test/browser/*.ts need SURETY (the program, with its page) and a browser.
import * as esbuild from "esbuild";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const folder = process.argv.includes("--browser") ? join(here, "browser") : here;
const files = (await readdir(folder))
  .filter((f) => /\.test\.tsx?$/.test(f) && (words.length === 0 || words.some((w) => f.includes(w))))
  .sort()
  .map((f) => join(folder, f));
if (files.length === 0) {
  console.error("no test has such a name");
  process.exit(64);
}

const out = await mkdtemp(join(tmpdir(), "surety-page-tests-"));
await esbuild.build({
  absWorkingDir: join(here, ".."),
  entryPoints: files,
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
  // viz-js wants what node 18 keeps in a module.
  banner: { js: 'import { webcrypto as cryptoOfNode } from "node:crypto"; globalThis.crypto ??= cryptoOfNode;' },
  define: { "import.meta.source": JSON.stringify(join(here, "..")) }, // where the page's sources are
});
// Packages stay outside of the bundles, and are looked for from where these are.
await symlink(join(here, "..", "node_modules"), join(out, "node_modules"));

const made = files.map((f) => join(out, basename(f).replace(/\.tsx?$/, ".mjs")));
const child = spawn(process.execPath, ["--enable-source-maps", "--test", ...made], { stdio: "inherit" });
child.on("exit", async (status, signal) => {
  await rm(out, { recursive: true, force: true });
  process.exit(signal === null ? (status ?? 1) : 1);
});
