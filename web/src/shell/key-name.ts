// Keys by the names that the page shows.

// "Ctrl-Shift-Enter" of a key press; letters are large, and what Shift makes of a sign is the sign itself.
export function keyName(e: Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const parts: string[] = [];
  if (e.ctrlKey || e.metaKey) parts.push("Ctrl");
  if (e.altKey) parts.push("Alt");
  const digit = /^Digit(\d)$/.exec(e.code);
  const letter = /^Key([A-Z])$/.exec(e.code);
  const key = e.altKey && digit ? digit[1]! : e.altKey && letter ? letter[1]! : e.key.length === 1 ? e.key.toUpperCase() : e.key;
  if (e.shiftKey && (key.length > 1 || /[A-Z]/.test(key))) parts.push("Shift");
  parts.push(key === "Escape" ? "Esc" : key);
  return parts.join("-");
}
