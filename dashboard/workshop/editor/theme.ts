import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor in the colours of the page, light and dark. */
export const pageTheme = [
  EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--panel)", fontSize: "13px" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
    ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
    // The page draws the focus around the editor, over its gutters.
    "&.cm-focused": { outline: "none" },
    ".cm-cursor": { borderLeftColor: "var(--accent)" },
    ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--ink-faint)", borderRight: "1px solid var(--line)" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--raised) 65%, transparent)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      backgroundColor: "color-mix(in srgb, var(--accent) 24%, transparent)",
    },
    ".cm-panels, .cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", borderColor: "var(--line)" },
    ".cm-textfield, .cm-button": {
      backgroundColor: "var(--panel)",
      backgroundImage: "none",
      color: "var(--ink)",
      borderColor: "var(--line)",
    },
    ".cm-searchMatch": { backgroundColor: "var(--warn-soft)" },
    ".cm-foldPlaceholder": { backgroundColor: "var(--raised)", color: "var(--ink-soft)", borderColor: "var(--line)" },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--accent)" },
      { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--good)" },
      { tag: [tags.comment, tags.meta], color: "var(--ink-faint)", fontStyle: "italic" },
      { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--warn)" },
      { tag: [tags.function(tags.variableName), tags.tagName, tags.heading], color: "var(--code-name)" },
      {
        tag: [tags.className, tags.typeName, tags.attributeName, tags.definition(tags.propertyName)],
        color: "var(--code-type)",
      },
      { tag: [tags.heading, tags.strong], fontWeight: "650" },
      { tag: tags.emphasis, fontStyle: "italic" },
    ]),
  ),
];
