import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { WorkshopFinding } from "../../../robot/wire/workshop/workshop.ts";
import { compareWith, isDecided, originalAfterAccept } from "./compare-view.ts";
import { loadLanguage } from "./languages.ts";
import { changeBetween, lineSeparatorOf, withLineEnds } from "./line-ends.ts";
import { pageTheme } from "./theme.ts";

interface CodeEditorOptions {
  /** A person has changed the text of a file. */
  onChange(name: string, text: string): void;
  /** Ctrl-Enter, and Ctrl-S. */
  onTry(): void;
  onKeep(): void;
  /** Changes of a comparison are kept. @param before the text before with them */
  onKept(before: string): void;
  /** Every change of a comparison is kept or left. */
  onDecided(): void;
}

/** A text before, and whether the changes to it are all there. */
interface Comparison {
  before: string;
  isWhole: boolean;
}

/** What is shown until a file is loaded: nothing can be typed, since that would be lost. */
const NO_FILE = EditorState.create({
  extensions: [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": "Text of a file that is loading" }),
  ],
});

/** An editor that shows one file at a time; each keeps its selection and what can be undone in it. */
export class CodeEditor {
  readonly #options: CodeEditorOptions;
  readonly #view: EditorView;
  readonly #states = new Map<string, EditorState>();
  readonly #language = new Compartment();
  readonly #comparison = new Compartment();
  /** The comparison that is shown. */
  #compared: Comparison | null = null;
  #name = "";
  /** Set while a text is replaced that no person has typed. */
  #isReplacing = false;

  /** @param root holds the editor's styles, which the page's policy forbids in its own document */
  constructor(root: ShadowRoot, options: CodeEditorOptions) {
    this.#options = options;
    this.#view = new EditorView({ parent: root, root, state: NO_FILE });
  }

  /** Shows a file, or another text of it. */
  show(name: string, text: string): void {
    if (name !== this.#name) {
      this.#states.set(this.#name, this.#view.state);
      this.#name = name;
      const known = this.#states.get(name);
      this.#view.setState(known ?? this.#newState(name, text));
      if (known === undefined) void this.#loadLanguage(name);
    }
    const { state } = this.#view;
    const now = state.sliceDoc();
    if (now === text) return;
    const separator = lineSeparatorOf(text);
    this.#isReplacing = true;
    if (separator === state.lineBreak) this.#view.dispatch({ changes: changeBetween(now, text, separator) });
    else this.#showAnew(name, text);
    this.#isReplacing = false;
  }

  /** Shows a text whose lines end otherwise than before, without what could be undone. */
  #showAnew(name: string, text: string): void {
    this.#compared = null;
    this.#view.setState(this.#newState(name, text));
    void this.#loadLanguage(name);
  }

  /** Marks the findings of the file that is shown. */
  mark(findings: readonly WorkshopFinding[]): void {
    const { doc } = this.#view.state;
    const diagnostics = findings.map(({ line, level, id, message }): Diagnostic => {
      const { from, to } = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
      return { from, to, severity: level === "MUST" ? "error" : "warning", source: id, message };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Shows what differs in the file that is shown from a text before; null ends that. */
  compare(comparison: Comparison | null): void {
    const last = this.#compared;
    if (comparison?.before === last?.before && comparison?.isWhole === last?.isWhole) return;
    this.#compared = comparison;
    const extension =
      comparison === null
        ? []
        : [compareWith(this.#view.state.toText(comparison.before)), EditorState.readOnly.of(!comparison.isWhole)];
    this.#view.dispatch({ effects: this.#comparison.reconfigure(extension) });
  }

  /** Puts the cursor at the start of a line, from 1. */
  goTo(line: number): void {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.#view.focus();
  }

  dispose(): void {
    this.#view.destroy();
  }

  async #loadLanguage(name: string): Promise<void> {
    const effects = this.#language.reconfigure(await loadLanguage(name));
    if (name === this.#name) return this.#view.dispatch({ effects });
    const state = this.#states.get(name);
    if (state !== undefined) this.#states.set(name, state.update({ effects }).state);
  }

  #newState(name: string, text: string): EditorState {
    const separator = EditorState.lineSeparator.of(lineSeparatorOf(text));
    return EditorState.create({ doc: text, extensions: [separator, ...this.#extensions(name)] });
  }

  #extensions(name: string): Extension[] {
    const { onChange, onTry, onKeep, onKept, onDecided } = this.#options;
    const run = (act: () => void) => () => {
      act();
      return true;
    };
    return [
      keymap.of([
        { key: "Mod-Enter", run: run(onTry) },
        { key: "Mod-s", run: run(onKeep), preventDefault: true },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...searchKeymap,
        ...foldKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      lineNumbers(),
      lintGutter(),
      foldGutter(),
      history(),
      drawSelection(),
      highlightSpecialChars(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      EditorView.contentAttributes.of({
        "aria-label": `Text of ${name}`,
        tabindex: "0",
        "aria-description": "Escape, then Tab leaves the editor; Control M lets Tab leave it always",
      }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && !this.#isReplacing) onChange(name, state.sliceDoc());
        if (!this.#compared?.isWhole || this.#isReplacing) return;
        const before = originalAfterAccept(transactions, state);
        if (before !== null) {
          // What is shown has it already.
          this.#compared = { ...this.#compared, before };
          onKept(before);
        }
        if (isDecided(state)) onDecided();
      }),
      EditorView.clipboardInputFilter.of((pasted, { lineBreak }) => withLineEnds(pasted, lineBreak)),
      this.#language.of([]),
      this.#comparison.of([]),
      pageTheme,
    ];
  }
}
