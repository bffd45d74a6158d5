// Promela in colours, with the lines of the preprocessor.
import type { StreamParser, StringStream } from "@codemirror/language";
import { comment, quoted, start, words } from "./tokens";
import type { State } from "./tokens";

const kKeywords = words(`active assert atomic break do D_proctype d_step else empty enabled eval fi for full get_priority goto
  hidden if init inline len local ltl nempty never nfull notrace np_ od of pc_value printf printm priority proctype provided
  return run select set_priority show skip timeout trace typedef unless xr xs c_code c_decl c_expr c_state c_track in
  always eventually until release weakuntil next implies equivalent U V W X`);
const kTypes = words("bit bool byte chan int mtype pid short unsigned");
const kAtoms = words("true false skip timeout");

export function promelaToken(stream: StringStream, state: State): string | null {
  if (stream.eatSpace()) return null;
  const found = comment(stream, state);
  if (found !== undefined) return found;
  if (stream.peek() === "#" && /^\s*$/.test(stream.string.slice(0, stream.pos))) {
    stream.match(/^#\s*\w*/);
    return "meta";
  }
  if (stream.peek() === '"') return quoted(stream, '"', true);
  if (stream.match(/^'(\\.|[^'\\])'/)) return "string";
  if (stream.match(/^\d+/)) return "number";
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word) {
    if (kAtoms.has(word[0])) return "atom";
    if (kTypes.has(word[0])) return "typeName";
    return kKeywords.has(word[0]) ? "keyword" : "variableName";
  }
  if (stream.match(/^(<->|->|<>|\[\]|&&|\|\||==|!=|<=|>=|<<|>>|::|\.\.|\+\+|--|\?\?|!!|\/\\|\\\/|[-=|&^<>+*/%!?~@])/))
    return "operator";
  stream.next();
  return null;
}

export const promela: StreamParser<State> = {
  name: "promela",
  startState: start,
  token: promelaToken,
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
};
