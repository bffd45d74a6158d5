import assert from "node:assert/strict";
import { test } from "node:test";
import { StringStream } from "@codemirror/language";
import { adaToken } from "../src/editor/ada";
import { fspToken } from "../src/editor/fsp";
import { lastLine } from "../src/editor/folds";
import { promelaToken } from "../src/editor/promela";
import { start } from "../src/editor/tokens";
import type { State } from "../src/editor/tokens";

// "word:kind word:kind", blanks and what has no colour left out.
function coloured(token: (stream: StringStream, state: State) => string | null, text: string): string {
  const state = start();
  const out: string[] = [];
  for (const line of text.split("\n")) {
    const stream = new StringStream(line, 4, 2);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = token(stream, state);
      assert.ok(stream.pos > stream.start, `no way on at "${line.slice(stream.start)}"`);
      if (kind !== null) out.push(`${stream.current()}:${kind}`);
    }
  }
  return out.join(" ");
}

test("FSP: keywords, processes, actions, numbers, operators", () => {
  assert.equal(
    coloured(fspToken, "property MUTEX = (a[1] -> STOP)."),
    "property:keyword MUTEX:typeName =:operator a:propertyName 1:number ->:operator STOP:atom",
  );
  assert.equal(coloured(fspToken, "||S = (A || B)@{x}"), "||:operator S:typeName =:operator A:typeName ||:operator B:typeName @:operator x:propertyName");
  assert.equal(coloured(fspToken, "0x1F 12"), "0x1F:number 12:number");
});

test("FSP: comments go over lines and end where they end", () => {
  assert.equal(coloured(fspToken, "A // B\nC"), "A:typeName // B:comment C:typeName");
  assert.equal(coloured(fspToken, "/* a\nb */ const"), "/* a:comment b */:comment const:keyword");
});

test("Promela: statements, types, lines of the preprocessor, texts", () => {
  assert.equal(
    coloured(promelaToken, 'byte n = 3; /* x */ do :: n++ od'),
    "byte:typeName n:variableName =:operator 3:number /* x */:comment do:keyword :::operator n:variableName ++:operator od:keyword",
  );
  assert.equal(coloured(promelaToken, "#define N 2\n  # if"), "#define:meta N:variableName 2:number # if:meta");
  assert.equal(coloured(promelaToken, 'printf("a\\"b", \'c\')'), 'printf:keyword "a\\"b":string \'c\':string');
  assert.equal(coloured(promelaToken, "c!1; c?x"), "c:variableName !:operator 1:number c:variableName ?:operator x:variableName");
});

test("Ada: words in any case, attributes and characters", () => {
  assert.equal(
    coloured(adaToken, "TASK Body T is -- it"),
    "TASK:keyword Body:keyword T:variableName is:keyword -- it:comment",
  );
  assert.equal(coloured(adaToken, "X := 'a'; Y := T'First;"), "X:variableName :=:operator 'a':string Y:variableName :=:operator T:variableName ':operator First:propertyName");
  assert.equal(coloured(adaToken, '"a""b" 16#FF# 1_000'), '"a""b":string 16#FF#:number 1_000:number');
});

test("every text of nonsense is read to its end", () => {
  const signs = ["\"", "'", "/*", "//", "#", "§", "\\", "a", "1", " ", "--", "<->", "*/"];
  let seed = 7;
  for (let i = 0; i < 300; ++i) {
    let text = "";
    for (let j = 0; j < 12; ++j) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      text += signs[seed % signs.length];
    }
    for (const token of [fspToken, promelaToken, adaToken]) coloured(token as typeof fspToken, text);
  }
});

test("a definition folds up to the comment before the next one", () => {
  const lines = ["const N = 2", "A = (a ->", "  b -> A).", "", "// about B", "B = A.", "", ""];
  const last = (line: number) => lastLine((n) => lines[n - 1]!, lines.length, line, [1, 2, 6]);
  assert.equal(last(2), 3);
  assert.equal(last(1), undefined);
  assert.equal(last(3), undefined);
  assert.equal(last(6), undefined);
});
