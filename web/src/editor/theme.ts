// The looks of the text: the page's colours, so that both schemes are right.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--word)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--dim)", fontStyle: "italic" },
  { tag: [tags.number, tags.atom], color: "var(--literal)" },
  { tag: tags.string, color: "var(--literal)" },
  { tag: tags.typeName, color: "var(--process)" },
  { tag: tags.propertyName, color: "var(--text)" },
  { tag: tags.operator, color: "var(--dim)" },
  { tag: tags.meta, color: "var(--word)" },
]);

export const theme: Extension = [
  syntaxHighlighting(highlight),
  EditorView.theme({
    "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--text)", fontSize: "0.893rem" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
    ".cm-content": { caretColor: "var(--text)", paddingBottom: "4rem" },
    ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": {
      backgroundColor: "var(--selected)",
    },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
    "&.cm-focused .cm-activeLine": { backgroundColor: "var(--line-here)" },
    ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", border: "none" },
    ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", borderColor: "var(--line)" },
    ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
    ".cm-textfield, .cm-button": { backgroundColor: "var(--panel)", backgroundImage: "none", border: "1px solid var(--edge)", color: "var(--text)" },
    ".cm-panel.cm-search": { padding: "0.25rem 0.5rem" },
    ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { fontSize: "0.857rem" },
    ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "0.25rem" },
    ".cm-button": { borderRadius: "0.25rem" },
    ".cm-panel.cm-search [name=close]": { fontSize: "1.1rem", minWidth: "1.75rem" },
    ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--edge)", boxShadow: "0 2px 8px var(--shadow)", maxWidth: "min(36rem, 90vw)" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
    ".cm-completionDetail": { color: "var(--dim)" },
    ".cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail": { color: "inherit" },
    ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--fresh)", outline: "1px solid var(--edge)" },
    ".cm-searchMatch": { backgroundColor: "var(--fresh)", outline: "1px solid var(--edge)" },
    ".cm-searchMatch-selected": { backgroundColor: "var(--selected)" },
    ".cm-selectionMatch": { backgroundColor: "var(--hover)" },
    ".cm-diagnostic": { padding: "0.25rem 0.5rem", whiteSpace: "pre-wrap" },
    ".cm-diagnostic-error": { borderLeftColor: "var(--violated)" },
    ".cm-diagnostic-warning": { borderLeftColor: "var(--running)" },
    ".cm-diagnostic-info": { borderLeftColor: "var(--accent)" },
    ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)", marginLeft: "0.5rem" },
    ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--violated) 1.5px", textUnderlineOffset: "3px" },
    ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--running) 1.5px", textUnderlineOffset: "3px" },
    ".cm-lintRange-info, .cm-lintRange-hint": { backgroundImage: "none", textDecoration: "underline dotted var(--accent) 1.5px", textUnderlineOffset: "3px" },
    ".cm-lintRange-active": { backgroundColor: "transparent" },
  }),
];
