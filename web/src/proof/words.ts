// The rules in words: what an oracle was asked about, and what its answer means for the next conjecture.

const kSub = "₀₁₂₃₄₅₆₇₈₉";
export const sub = (n: number): string => [...String(n)].map((digit) => kSub[Number(digit)]!).join("");

export const methodName = (method: string): string =>
  ({ monolithic: "plain search", "all-sizes": "every size", interface: "interface" })[method] ?? method;

// What one assumption is called; `of`: how many there are.
export function assumptionName(method: string, assumption: number, of: number): string {
  if (method === "circular") return `g${sub(assumption)}`;
  return of > 1 ? `A${sub(assumption)}` : "A";
}

// The premise that an oracle decides.
export function premise(method: string, assumption: number, oracle: number, of: number): string {
  const a = assumptionName(method, assumption, of);
  switch (method) {
    case "asym-n":
      if (oracle === 1) return `⟨${a}⟩ M${sub(assumption)} ⟨${assumption === 1 ? "P" : assumptionName(method, assumption - 1, of)}⟩`;
      return `M${sub(assumption + 1)} and what follows keep ${a}`;
    case "sym":
    case "sym-a":
    case "sym-b":
      if (oracle === 1) return `⟨${a}⟩ M${sub(assumption)} ⟨P⟩`;
      return "no word is rejected by all assumptions";
    case "sym-2":
    case "sym-2a":
    case "sym-2b":
      if (oracle === 1) return `⟨${a}⟩ M${sub(assumption)} ⟨P${sub(assumption)}⟩`;
      return "the others keep it, and no word is rejected by all assumptions";
    case "circular":
      if (assumption === 0 || oracle === 2) return "all guarantees together imply P";
      return `M${sub(assumption)} keeps ${a} as long as the others keep theirs`;
    case "agar":
      return "⟨A⟩ M₁ ⟨P⟩";
    case "interface":
      return oracle === 1 ? "⟨A⟩ M ⟨P⟩" : "A allows every safe word";
    default:
      return oracle === 1 ? `⟨${a}⟩ M₁ ⟨P⟩` : `⟨true⟩ M₂ ⟨${a}⟩`;
  }
}

// What a result means.
export function meaning(result: string): string {
  switch (result) {
    case "too weak":
      return "it allows a word that leads to a violation, so the next one forbids it";
    case "too strong":
      return "it forbids a word that the rest can do and that is safe, so the next one allows it";
    case "alphabet too small":
      return "two traces agree on its actions and yet do not fit together, so it gets the actions that they disagree on";
    case "violated":
      return "the traces of all sides fit together: this is a violation of the whole";
    case "holds":
      return "every premise holds";
    case "wrong":
      return "the rest does not keep it, so nothing can be said";
    case "too coarse":
      return "the abstraction has a word that its component does not have";
    default:
      return "";
  }
}

export const fails = (result: string): boolean => result !== "holds";

// A premise as the checker writes it, with the signs of the page.
export const signs = (text: string): string =>
  text.replace(/<([^<>]+)>/g, "⟨$1⟩").replace(/\|\|/g, "∥").replace(/\b([AMg])(\d+)\b/g, (_, letter: string, n: string) => letter + sub(Number(n)));
