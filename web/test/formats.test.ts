// Machines as files.
import assert from "node:assert/strict";
import test from "node:test";
import { fsp, fspLabel, write } from "../src/draw/formats";
import type { Lts } from "../src/types";

const machine: Lts = {
  states: 5,
  alphabet: ["a", "b", "c", "never.2", "x.1.y"],
  error: 2,
  end: 4,
  steps: [
    [0, "a", 1],
    [0, "b", 2],
    [0, "c", 3],
    [0, "x.1.y", 0],
    [3, "tau", 4],
  ],
};

test("aut counts the loops that mark the error and the end", () => {
  const lines = write(machine, "aut")!.trim().split("\n");
  assert.equal(lines[0], "des (0,7,5)");
  assert.equal(lines.length, 8);
  assert.ok(lines.includes('(2,"surety:error",2)') && lines.includes('(4,"surety:end",4)'));
});

test("FSP has indices in brackets, STOP, the silent action hidden, and actions that never happen", () => {
  assert.equal(
    fsp(machine),
    "LTS = S0,\nS0 = (a -> S1 | b -> ERROR | c -> S3 | x[1].y -> S0),\nS1 = STOP,\nS3 = (silent -> END)\n  + {never[2]}\n  \\ {silent}.\n",
  );
});

test("a name that FSP cannot write is said", () => {
  assert.equal(fspLabel("x.1.y.-2"), "x[1].y[-2]");
  assert.equal(fspLabel("q?m"), undefined);
  assert.equal(fsp({ ...machine, alphabet: ["Big"], steps: [] }), undefined);
  assert.equal(fsp({ states: 1, alphabet: ["if"], steps: [] }), undefined);
});

test("json is the machine", () => {
  const { names: _, ...back } = JSON.parse(write(machine, "json")!);
  assert.deepEqual(back.steps, machine.steps);
  assert.deepEqual([back.states, back.initial, back.error, back.end], [5, 0, 2, 4]);
});

test("dot quotes what is in labels", () => {
  const text = write({ states: 1, alphabet: [], steps: [[0, 'say "x\\y"', 0], [0, "b", 0]] }, "dot")!;
  assert.match(text, /0 -> 0 \[label="say \\"x\\\\y\\"\\nb"\];/);
});
