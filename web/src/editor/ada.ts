// Ada in colours. Large and small letters are the same; a quote is a character or an attribute.
import type { StreamParser, StringStream } from "@codemirror/language";
import { start, words } from "./tokens";
import type { State } from "./tokens";

const kKeywords = words(`abort abs abstract accept access aliased all and array at begin body case constant declare delay delta
  digits do else elsif end entry exception exit for function generic goto if in interface is limited loop mod new not of or
  others out overriding package pragma private procedure protected raise range record rem renames requeue return reverse
  select separate some subtype synchronized tagged task terminate then type until use when while with xor`);
const kAtoms = words("null true false");
const kTypes = words("boolean integer natural positive character string duration float");

export function adaToken(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match("--")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match(/^"([^"]|"")*("|$)/)) return "string";
  const before = stream.string.slice(0, stream.pos);
  if (stream.peek() === "'" && !/[\w)\]]$/.test(before) && stream.match(/^'.'/)) return "string";
  if (stream.match(/^\d[\d_]*(#[\da-fA-F_.]+#)?((\.\d[\d_]*)?([eE][+-]?\d+)?)/)) return "number";
  const word = stream.match(/^[A-Za-z]\w*/) as RegExpMatchArray | null;
  if (word) {
    if (/'$/.test(before)) return "propertyName"; // an attribute
    const small = word[0].toLowerCase();
    if (kAtoms.has(small)) return "atom";
    if (kTypes.has(small)) return "typeName";
    return kKeywords.has(small) ? "keyword" : "variableName";
  }
  if (stream.match(/^(=>|\.\.|:=|\/=|<=|>=|<>|<<|>>|\*\*|[-+*/=<>&|'])/)) return "operator";
  stream.next();
  return null;
}

export const ada: StreamParser<State> = {
  name: "ada",
  startState: start,
  token: (stream) => adaToken(stream),
  languageData: { commentTokens: { line: "--" }, closeBrackets: { brackets: ["(", '"'] } },
};
