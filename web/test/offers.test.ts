// What the animator offers.
import assert from "node:assert/strict";
import test from "node:test";
import { chosenBy, kKeys, offers } from "../src/trace/offers";
import type { Moment, SystemOf } from "../src/types";

const system: SystemOf = {
  system: "S",
  whole: "S",
  components: [
    { name: "A", states: 3, transitions: 4 },
    { name: "B", states: 2, transitions: 2 },
  ],
  properties: [{ name: "P", states: 1, transitions: 1 }],
  actions: { toss: ["A", "P"], both: ["A", "B"], mine: ["B"], seen: ["P"] },
  constants: {},
  menus: { GAME: ["toss", "mine"] },
};
const moment: Moment = {
  state: "0,0,0",
  moves: [
    { action: "toss", who: ["A"], to: "1,0,0" },
    { action: "toss", who: ["A"], to: "2,0,0" },
    { action: "mine", who: ["B"], to: "0,1,0" },
  ],
  refused: [{ action: "both", by: ["B"] }],
};

test("two targets of one action are two offers, told apart by what differs", () => {
  const groups = offers(moment, system, { by: "component", all: false, nameOf: (_, s) => ["START", "HEADS", "TAILS"][s]! });
  assert.deepEqual(groups.map((g) => g.name), ["A", "B"]);
  assert.deepEqual(groups[0]!.offers.map((o) => o.which), ["A → HEADS", "A → TAILS"]);
  const alike = offers(moment, system, { by: "component", all: false, nameOf: () => "SIDE" });
  assert.deepEqual(alike[0]!.offers.map((o) => o.which), ["A → SIDE (1)", "A → SIDE (2)"]);
  assert.deepEqual(groups.flatMap((g) => g.offers.map((o) => o.key)), ["1", "2", "3"]);
  assert.equal(chosenBy(groups, "2")!.to, "2,0,0");
  assert.equal(chosenBy(groups, "9"), undefined);
});

test("what cannot happen is offered with its reason, and has no key", () => {
  const groups = offers(moment, system, { by: "component", all: true });
  const both = groups.find((g) => g.name === "A")!.offers.find((o) => o.action === "both")!;
  assert.equal(both.why, "B is not ready");
  assert.equal(both.key, undefined);
  assert.ok(!groups.some((g) => g.offers.some((o) => o.action === "seen")), "an action of a property alone is none of the system");
});

test("menus group, in their order, and what is in none comes last", () => {
  const groups = offers(moment, system, { by: "menu", all: true });
  assert.deepEqual(groups.map((g) => [g.name, g.offers.map((o) => o.action)]), [
    ["GAME", ["toss", "toss", "mine"]],
    ["no menu", ["both"]],
  ]);
});

test("moves of a program are grouped by process and told by statement", () => {
  const groups = offers(
    { state: "ab", moves: [{ action: "tau", who: [], process: "P:0", line: 3, statement: "x = 1", to: "ac" }] },
    { ...system, components: [], actions: {} },
    { by: "component", all: true },
  );
  assert.deepEqual(groups.map((g) => [g.name, g.offers[0]!.which]), [["P:0", "line 3"]]);
});

test("there are no more keys than the keyboard has", () => {
  const many = Array.from({ length: 50 }, (_, i) => ({ action: `a${i}`, who: ["A"], to: "0,0,0" }));
  const keys = offers({ state: "", moves: many }, system, { by: "component", all: false }).flatMap((g) => g.offers.map((o) => o.key));
  assert.equal(keys.filter((k) => k !== undefined).length, kKeys.length);
});
