import {
  acceptChunk,
  getChunks,
  getOriginalDoc,
  goToNextChunk,
  goToPreviousChunk,
  rejectChunk,
  unifiedMergeView,
  updateOriginalDoc,
} from "@codemirror/merge";
import type { EditorState, Extension, Text, Transaction } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/**
 * Shows what differs from a text before, with buttons that keep a change or leave it. F7 and Shift-F7 go from one to the
 * next, Alt-Enter keeps and Alt-Backspace leaves the one at the cursor.
 */
export const compareWith = (before: Text): Extension => [
  keymap.of([
    { key: "F7", run: goToNextChunk },
    { key: "Shift-F7", run: goToPreviousChunk },
    { key: "Alt-Enter", run: (view) => acceptChunk(view) },
    { key: "Alt-Backspace", run: (view) => rejectChunk(view) },
  ]),
  unifiedMergeView({ original: before, mergeControls: button, highlightChanges: true }),
  theme,
];

/** Whether every change is kept or left. */
export const isDecided = (state: EditorState): boolean => getChunks(state)?.chunks.length === 0;

/** The text before, with the changes that these transactions keep; null when they keep none. */
export function originalAfterAccept(transactions: readonly Transaction[], state: EditorState): string | null {
  const isKept = transactions.some(({ effects }) => effects.some((effect) => effect.is(updateOriginalDoc)));
  const { length } = getOriginalDoc(state);
  return isKept ? getOriginalDoc(state).sliceString(0, length, state.lineBreak) : null;
}

function button(type: "accept" | "reject", act: (event: MouseEvent) => void): HTMLElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = type === "accept" ? "Keep this" : "Leave it";
  made.className = `hunk-button hunk-${type}`;
  // A click, so that Enter on the button counts, too.
  made.addEventListener("click", act);
  return made;
}

const theme = EditorView.theme({
  // Pale enough for the colours of the code to be read on it.
  ".cm-changedLine": { backgroundColor: "color-mix(in srgb, var(--good-soft) 25%, var(--panel)) !important" },
  ".cm-changedText": { background: "none !important", borderBottom: "2px solid var(--good)" },
  ".cm-deletedChunk": { backgroundColor: "var(--bad-soft) !important", padding: "2px 6px" },
  ".cm-deletedChunk .cm-deletedLine, .cm-deletedChunk .cm-deletedLine *": { color: "var(--bad) !important" },
  ".cm-deletedChunk .cm-deletedText": { background: "none !important", borderBottom: "2px solid var(--bad)" },
  ".cm-deletedChunk .cm-deletedLine del": { textDecoration: "none" },
  ".cm-chunkButtons": { insetInlineEnd: "8px" },
  // More specific than the white text of the merge view's own buttons.
  ".cm-deletedChunk .cm-chunkButtons button.hunk-button": {
    minHeight: "26px",
    marginLeft: "6px",
    padding: "0 10px",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    background: "var(--panel)",
    color: "var(--ink)",
    font: "12px system-ui, sans-serif",
    cursor: "pointer",
  },
  ".cm-deletedChunk .cm-chunkButtons button.hunk-button:focus-visible": { outline: "2px solid var(--accent)" },
});
