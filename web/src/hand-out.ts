// Texts out of the page: to the clipboard, and a word about it; to a file.
import { say } from "./messages";

export function copyText(text: string, what: string): void {
  if (text === "") return;
  navigator.clipboard.writeText(text).then(
    () => say(`copied ${what}`),
    () => say(`the browser did not let ${what} be copied`, "error"),
  );
}

// To a file of the person's choice, as a download.
export function saveText(text: string, name: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
