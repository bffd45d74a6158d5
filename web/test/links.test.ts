import assert from "node:assert/strict";
import { test } from "node:test";
import { linkText, parseLink } from "../src/links";
import type { Link } from "../src/links";

test("a link says the whole view", () => {
  const link = parseLink("#/gas/gas_station.lts?K=3&system=SYSTEM&check=CHANGE&method=asym&panel=proof&k=12&step=4");
  assert.deepEqual(link, {
    path: "gas/gas_station.lts",
    define: { K: 3 },
    system: "SYSTEM",
    check: "CHANGE",
    method: "asym",
    panel: "proof",
    k: 12,
    step: 4,
  });
});

test("what is written is read back", () => {
  const links: Link[] = [
    { path: "examples:a/b.lts", define: {} },
    { path: "ä ?&=#%/x.pml", define: { N: -3, NAME: "a&b=c d" }, check: "P(1)", panel: "trace", step: 0 },
    { path: "a.lts", define: { K: 2 }, split: "A(1),B | C", method: "asym-n", k: 1 },
  ];
  for (const link of links) {
    const back = parseLink(linkText(link));
    for (const key of Object.keys(back) as (keyof Link)[]) if (back[key] === undefined) delete back[key];
    assert.deepEqual(back, link);
  }
});

test("links stay readable where they can", () => {
  assert.equal(linkText({ path: "examples:gas/a.lts", define: { K: 3 }, split: "A,B|C" }), "#/examples:gas/a.lts?K=3&split=A,B|C");
});

test("what makes no sense is left out of a link", () => {
  assert.deepEqual(parseLink("#t=abc"), { define: {} });
  const link = parseLink("#/a.lts?panel=nowhere&k=-1&step=x&1x=3&%=2");
  assert.equal(link.path, "a.lts");
  assert.equal(link.panel, undefined);
  assert.equal(link.k, undefined);
  assert.equal(link.step, undefined);
  assert.deepEqual(link.define, {});
  assert.equal(parseLink("#/%E0%A4%A").path, "%E0%A4%A");
});

test("a link has no token, and nothing without a file", () => {
  assert.equal(linkText({ define: { K: 2 }, panel: "draw" }), "");
  assert.ok(!linkText({ path: "a.lts", define: {} }).includes("t="));
});
