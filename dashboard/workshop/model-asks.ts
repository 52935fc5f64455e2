import { batch, computed, signal } from "@preact/signals";
import type { AskBody, AskEvent } from "../../robot/wire/workshop/ask.ts";
import type { EditedFiles } from "./edited-files.ts";
import type { StreamLines } from "./stream-lines.ts";

/** An edit of the model in the editor, whose changes a person keeps or leaves. */
interface Proposal {
  file: string;
  /** The text before it, with its changes that are kept. */
  before: string;
  /** The text that the model was asked about. */
  asked: string;
  /** False while it still arrives. */
  isWhole: boolean;
}

/** What an edit is to end. */
export type Fix = NonNullable<AskBody["fix"]>;

/** What the panel says of the last request. */
interface AskNote {
  level: "info" | "error";
  text: string;
}

interface ModelAsksOptions {
  files: EditedFiles;
  stream: StreamLines;
  /** The text of a file has changed. */
  onText(name: string, text: string): void;
  /** Shows a file. */
  show(name: string): void;
  report(error: unknown): void;
}

/** Requests to the code model, one at a time. Its edit streams into the editor as a difference to the text before. */
export class ModelAsks {
  readonly proposal = signal<Proposal | null>(null);
  /** What is under way, for people; null while nothing is. */
  readonly progress = signal<string | null>(null);
  readonly note = signal<AskNote | null>(null);
  /** Whether an edit still arrives: what is in the editor is a part of it. */
  readonly isArriving = computed(() => this.proposal.value?.isWhole === false);
  /** Whether an edit is there of which changes are neither kept nor left. The model is not asked again before. */
  readonly isUndecided = computed(() => this.proposal.value?.isWhole === true);
  /** The instruction of the last edit that came, for the journal. */
  instruction = "";
  readonly #options: ModelAsksOptions;
  #abort = new AbortController();

  constructor(options: ModelAsksOptions) {
    this.#options = options;
  }

  /** Asks for an edit. @param instruction empty for the next edit after those before */
  ask(file: string, instruction: string): Promise<void> {
    return this.#ask({ file, instruction, fix: null });
  }

  /** Asks for an edit that ends something; it is shown when it was tried and does. */
  fix(what: Fix, file: string): Promise<void> {
    return this.#ask({ file, instruction: "", fix: what });
  }

  /** Stops the request; what has come of its edit is taken back. */
  readonly stop = (): void => this.#abort.abort();

  /** Every change of the edit is kept or left. */
  decided(): void {
    if (this.proposal.peek()?.isWhole) this.accept();
  }

  /** A person has kept changes. @param before the text with them, from which the others differ */
  kept(before: string): void {
    const proposal = this.proposal.peek();
    if (proposal !== null) this.proposal.value = { ...proposal, before };
  }

  /** The changes of the edit as they are in the editor are what a person wants. */
  accept(): void {
    const proposal = this.proposal.peek();
    if (proposal === null) return;
    // Nothing of it is kept, so what is kept next is not for its instruction.
    if (this.#options.files.get(proposal.file)?.text === proposal.asked) this.instruction = "";
    this.proposal.value = null;
    // That the edit has to be decided first.
    if (proposal.isWhole && this.note.peek()?.level === "error") this.note.value = null;
  }

  /** Takes the changes back that are not kept. */
  leave(): void {
    const proposal = this.proposal.peek();
    if (proposal === null) return;
    batch(() => {
      this.#options.onText(proposal.file, proposal.before);
      this.accept();
    });
  }

  /** What the model changed in a file does not concern it any more: the file is gone, or has another text. */
  forget(file: string): void {
    if (this.proposal.peek()?.file === file) this.accept();
  }

  async #ask(request: { file: string; instruction: string; fix: Fix | null }): Promise<void> {
    if (this.progress.peek() !== null) return;
    const undecided = this.proposal.peek();
    if (undecided !== null) {
      const next = "keep or leave each of its changes, or all of them, before the model is asked again.";
      this.note.value = { level: "error", text: `The model's edit of ${undecided.file} is not decided: ${next}` };
      return;
    }
    const { files, stream, report } = this.#options;
    const before = new Map(files.list.peek().map(({ name, text }) => [name, text]));
    /** A person has typed since: the edit is about another text. */
    const isOutdated = (file: string) => this.proposal.peek() === null && files.get(file)?.text !== before.get(file);
    this.#abort = new AbortController();
    this.note.value = null;
    this.progress.value = "Asking the model…";
    try {
      const body = { ...request, files: files.changes };
      await stream<AskEvent>("/api/workshop/ask", body, this.#abort.signal, (event) => {
        const edited = event.kind === "answer" ? event.file : event.kind === "draft" ? request.file : null;
        if (edited === null || !isOutdated(edited)) return this.#receive(request.file, event);
        this.note.value = { level: "error", text: "The text has changed since the model was asked: ask it again." };
        this.#abort.abort();
      });
    } catch (error) {
      if (!this.#abort.signal.aborted) report(error);
    } finally {
      this.#takeBackDraft();
      this.progress.value = null;
    }
  }

  #receive(file: string, event: AskEvent): void {
    switch (event.kind) {
      case "asking":
        this.progress.value = `${event.model} answers…`;
        return;
      case "draft":
        this.#show(file, event.text, false);
        return;
      case "refused":
        this.progress.value = "The answer could not be applied exactly; it is asked for again…";
        this.#takeBackDraft();
        return;
      case "trying":
        this.progress.value = "The edit is tried before it is shown…";
        return;
      case "answer": {
        this.instruction = event.instruction;
        this.#show(event.file, event.text, true);
        const text = [event.proof, event.explanation, ...event.notes].filter((part) => part?.trim()).join("\n");
        this.note.value = { level: "info", text: text || "The changes are in the editor: keep or leave each." };
        return;
      }
      case "no-change":
        this.note.value = { level: "info", text: event.explanation.trim() || "The model changes nothing." };
        return;
      case "failed":
        this.note.value = { level: "error", text: event.detail };
    }
  }

  #show(file: string, text: string, isWhole: boolean): void {
    const { files, onText, show } = this.#options;
    const known = this.proposal.peek();
    const before = known?.before ?? files.get(file)?.text ?? "";
    // At once: a comparison of the text before with itself would have no change left to decide.
    batch(() => {
      this.proposal.value = { file, before, asked: known?.asked ?? before, isWhole };
      // Once: a person may look at another file while the rest arrives.
      if (known === null) show(file);
      onText(file, text);
    });
  }

  #takeBackDraft(): void {
    if (this.proposal.peek()?.isWhole === false) this.leave();
  }
}
