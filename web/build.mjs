// Bundles the page into build/page: index.html, and assets whose names carry a hash of what is in them. The server
// puts the files into its binary (cmake/page.cmake). Panels are files of their own, loaded when they are shown first; the
// worker that lays drawings out is built by itself, so that it shares nothing with the page. `--watch` builds again when a file changes, for `./dev page`.
import * as esbuild from "esbuild";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes("--watch");
const out = process.argv.find((a) => a.startsWith("--out="))?.slice(6) ?? join(here, "..", "build", "page");

const options = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: join(out, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};
const page = { ...options, entryPoints: { page: "src/main.tsx", style: "src/style.css" }, splitting: true };
const worker = { ...options, entryPoints: { layout: "src/draw/layout-worker.ts" } };

// Who wrote what is in the bundles: one text per package, of its licence file.
async function licences(metafile) {
  const packages = new Set();
  for (const file of Object.keys(metafile.inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (found) packages.add(found[1]);
  }
  const texts = ["What others wrote of the page of surety, and their licences.\n"];
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    texts.push(`\n== ${name} ${about.version}, ${about.license}\n`);
    if (name === "@viz-js/viz")
      texts.push(
        "\nContains Graphviz (Eclipse Public License 1.0, source: https://gitlab.com/graphviz/graphviz) and Expat\n" +
          "(MIT, source: https://github.com/libexpat/libexpat), compiled to WebAssembly.\n",
      );
    const licence = (await readdir(folder)).find((f) => /^licen[cs]e/i.test(f));
    if (licence) texts.push("\n" + (await readFile(join(folder, licence), "utf8")));
  }
  return texts.join("");
}

const made = { inputs: {}, outputs: {} }; // of both builds

async function finish(metafile) {
  Object.assign(made.inputs, metafile.inputs);
  for (const [file, output] of Object.entries(made.outputs))
    if (Object.values(metafile.outputs).some((o) => o.entryPoint && o.entryPoint === output.entryPoint)) delete made.outputs[file];
  Object.assign(made.outputs, metafile.outputs);
  const asset = (entry) => {
    const found = Object.entries(made.outputs).find(([, o]) => o.entryPoint === entry);
    return found ? `/assets/${found[0].split("/").pop()}` : "";
  };
  const html = (await readFile(join(here, "index.html"), "utf8"))
    .replace("@SCRIPT@", asset("src/main.tsx"))
    .replace("@STYLE@", asset("src/style.css"))
    .replace("</title>", `</title>\n    <meta name="layout-worker" content="${asset("src/draw/layout-worker.ts")}">`);
  await writeFile(join(out, "index.html"), html);
  await writeFile(join(out, "licences.txt"), await licences(made));
}

await rm(out, { recursive: true, force: true });
await mkdir(join(out, "assets"), { recursive: true });
const last = {
  name: "finish",
  setup(build) {
    build.onEnd(async (result) => {
      if (result.metafile) await finish(result.metafile);
    });
  },
};
for (const part of [worker, page]) {
  if (watch) await (await esbuild.context({ ...part, plugins: [last] })).watch();
  else await finish((await esbuild.build(part)).metafile);
}
