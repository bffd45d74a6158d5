import assert from "node:assert/strict";
import { test } from "node:test";
import { breaks, bytes, count, plural, reached, seconds, stoppedBy } from "../src/format";
import { keyName } from "../src/shell/key-name";
import { matching } from "../src/shell/match";
import { fitted, interfaceOf, mostStates, moved, parseSides, sidesText } from "../src/shell/sides";
import { folders, studies } from "../src/shell/studies";

test("numbers are as people read them", () => {
  assert.deepEqual([0, 9_999, 12_400_000, 999_999, 1e9].map(count), ["0", "9,999", "12.4 M", "1.0 M", "1.0 G"]);
  assert.deepEqual([0.0001, 0.02, 0.5, 12.34, 125].map(seconds), ["< 1 ms", "20 ms", "0.50 s", "12.3 s", "2 min 5 s"]);
  assert.deepEqual([10, 2048, 5 * 2 ** 20].map(bytes), ["10 B", "2.0 KiB", "5.0 MiB"]);
  assert.deepEqual([plural(1, "state"), plural(2, "query", "queries")], ["1 state", "2 queries"]);
});

test("why there is no answer is said in words", () => {
  assert.deepEqual(["time", "interrupted", "after 8 cells nothing repeats"].map(reached), ["out of time", "interrupted", "after 8 cells nothing repeats"]);
  assert.deepEqual(["states", "interrupted"].map(stoppedBy), ["stopped by states", "interrupted"]);
});

test("names are broken before brackets, after dots and lines", () => {
  assert.deepEqual(breaks("gas_station.lts"), ["gas_", "station.", "lts"]);
  assert.deepEqual(breaks("CUSTOMER(1)"), ["CUSTOMER", "(1)"]);
  assert.deepEqual(breaks("plain"), ["plain"]);
});

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  keyName({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });

test("keys have the names that the help shows", () => {
  assert.equal(press("Enter", { ctrlKey: true }), "Ctrl-Enter");
  assert.equal(press("Enter", { ctrlKey: true, shiftKey: true }), "Ctrl-Shift-Enter");
  assert.equal(press("k", { metaKey: true }), "Ctrl-K");
  assert.equal(press("?", { shiftKey: true }), "?");
  assert.equal(press(".", { ctrlKey: true }), "Ctrl-.");
  assert.equal(press("F12", { shiftKey: true }), "Shift-F12");
  assert.equal(press("¡", { altKey: true, code: "Digit1" }), "Alt-1");
  assert.equal(press("Escape"), "Esc");
});

test("commands are found by all their words, beginnings of words first", () => {
  const commands = ["Draw OPERATOR", "Check all", "Abort all", "Open examples:gas_station/a.lts"].map((title) => ({ title }));
  assert.deepEqual(matching(commands, "al").map((c) => c.title), ["Check all", "Abort all"]);
  assert.deepEqual(matching(commands, "gas a").map((c) => c.title), ["Open examples:gas_station/a.lts"]);
  assert.deepEqual(matching(commands, "").length, 4);
  assert.deepEqual(matching(commands, "o").map((c) => c.title).slice(0, 2), ["Open examples:gas_station/a.lts", "Draw OPERATOR"]);
});

test("sides are read as the command line reads them", () => {
  assert.deepEqual(parseSides("A(1),B | C[1,2]"), [["A(1)", "B"], ["C[1,2]"]]);
  assert.deepEqual(parseSides("P(1,2) | Q |R"), [["P(1,2)"], ["Q"], ["R"]]);
  assert.equal(sidesText([["A"], [], ["B", "C"]]), "A | B,C");
});

test("a moved component is in one side, and sides have all components", () => {
  const sides = fitted(parseSides("A,GONE | B"), ["A", "B", "C"]);
  assert.deepEqual(sides, [["A"], ["B", "C"]]);
  assert.deepEqual(moved(sides, "A", 1), [[], ["B", "C", "A"]]);
  assert.deepEqual(moved(sides, "C", 2), [["A"], ["B"], ["C"]]);
});

test("the interface is what the sides share; the property is with the first", () => {
  const who = { a: ["A", "B"], b: ["B"], c: ["A"], p: ["B", "P"], q: ["A", "P"] };
  assert.deepEqual(interfaceOf([["A"], ["B"]], who), ["a"]);
  assert.deepEqual(interfaceOf([["A"], ["B"]], who, "P"), ["a", "p"]);
  assert.deepEqual(interfaceOf([["A", "B"], []], who), []);
  assert.equal(mostStates(["A", "B"], { A: 7, B: 39 }), 273);
});

const example = (path: string, about = "") => ({ path: `examples:${path}`, title: `title of ${path}`, about, constants: {} });

test("the gallery has a case study once, and broken variants beside what they were made from", () => {
  const all = studies([
    example("gas_station/gas_station.pml"),
    example("gas_station/gas_station.lts", "Customers and pumps"),
    example("gas_station/gas_station_ada.lts"),
    example("gas_station/gas_station_broken.lts"),
    example("fsp/lamp.lts"),
    example("only/only_broken.lts"),
  ]);
  assert.deepEqual(all.map((s) => s.title), ["Gas station", "Small FSP models", "Only"]);
  assert.equal(all[0]!.about, "Customers and pumps");
  assert.deepEqual(all[0]!.variants.map((v) => [v.label, v.broken]), [
    ["FSP", "examples:gas_station/gas_station_broken.lts"],
    ["Promela", undefined],
    ["FSP, after the Ada", undefined],
  ]);
  assert.equal(all[1]!.variants[0]!.label, "FSP: lamp");
  assert.equal(all[2]!.variants.length, 1, "a broken one alone is shown");
});

test("files are a tree", () => {
  const root = folders(["b.lts", "a/c.lts", "a/d/e.lts", "a.lts"]);
  assert.deepEqual(root.files, ["a.lts", "b.lts"]);
  assert.deepEqual(root.folders.map((f) => f.path), ["a"]);
  assert.deepEqual(root.folders[0]!.folders[0]!.files, ["a/d/e.lts"]);
});
