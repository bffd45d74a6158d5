// FSP in colours: processes and sets begin with a large letter, actions with a small one.
import type { StreamParser, StringStream } from "@codemirror/language";
import { comment, quoted, start, words } from "./tokens";
import type { State } from "./tokens";

const kKeywords = words(`const property range if then else forall when set progress menu animation actions controls minimal
  deterministic compose target import assert fluent exists rigid constraint initially foreach`);
const kLocal = words("STOP END ERROR");

export function fspToken(stream: StringStream, state: State): string | null {
  if (stream.eatSpace()) return null;
  const found = comment(stream, state);
  if (found !== undefined) return found;
  if (stream.peek() === '"') return quoted(stream, '"', false);
  if (stream.match(/^0[xX][0-9a-fA-F]+|^\d+/)) return "number";
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word) {
    if (kKeywords.has(word[0])) return "keyword";
    if (kLocal.has(word[0])) return "atom";
    return /^[A-Z]/.test(word[0]) ? "typeName" : "propertyName";
  }
  if (stream.match(/^(<->|->|<>|\[\]|\|\||&&|==|!=|<=|>=|<<|>>|::|\.\.|[-=|&^<>+*/%!@\\#'])/)) return "operator";
  stream.next();
  return null;
}

export const fsp: StreamParser<State> = {
  name: "fsp",
  startState: start,
  token: fspToken,
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
};
