// What the three tokenisers share. They only colour: what a text means is known by the language process.
import type { StringStream } from "@codemirror/language";

// What goes over the end of a line: inside of a comment, or not.
export interface State {
  comment: boolean;
}

export const start = (): State => ({ comment: false });

export const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

// A comment between slash-star and star-slash, which has begun.
export function restOfComment(stream: StringStream, state: State): string {
  state.comment = true;
  while (!stream.eol()) {
    if (stream.match("*/")) {
      state.comment = false;
      break;
    }
    stream.next();
  }
  return "comment";
}

// Comments as C has them, if there is one.
export function comment(stream: StringStream, state: State): string | undefined {
  if (state.comment || stream.match("/*")) return restOfComment(stream, state);
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  return undefined;
}

// Text in quotes up to its end or that of the line.
export function quoted(stream: StringStream, quote: string, escapes: boolean): string {
  stream.next();
  for (let c = stream.next(); c != null && c !== quote; c = stream.next()) if (escapes && c === "\\") stream.next();
  return "string";
}
