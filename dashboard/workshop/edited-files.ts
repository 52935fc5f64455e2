import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { FileText, WorkshopFile } from "../../robot/wire/workshop/workshop.ts";

/** A file of the app with its text in the editor. */
interface EditedFile extends WorkshopFile {
  /** The text that is kept; empty for a new file. */
  kept: string;
  /** It has changed in the folder since it was read here, while it was changed here as well. */
  conflict: WorkshopFile | null;
}

const isChanged = ({ text, kept, hash }: EditedFile): boolean => text !== kept || hash === "";

/** The files of the app as they are in the editor. */
export class EditedFiles {
  readonly #files = signal<readonly EditedFile[]>([]);
  /** The app's main file, whose folder comes first. */
  #main = "";
  readonly list: ReadonlySignal<readonly EditedFile[]> = this.#files;
  readonly changed = computed(() => this.#files.value.filter(isChanged));
  readonly isChanged = computed(() => this.changed.value.length > 0);
  readonly conflicts = computed(() => this.#files.value.filter(({ conflict }) => conflict !== null));

  get(name: string): EditedFile | undefined {
    return this.#files.value.find((file) => file.name === name);
  }

  /** The changes, as requests take them. */
  get changes(): FileText[] {
    return this.changed.peek().map(({ name, text }) => ({ name, text }));
  }

  /** Texts that are being kept: the folder has them before what is typed meanwhile. */
  readonly #sent = new Map<string, string>();

  /** Notes the changes, which are about to be kept. @returns them, as a keep takes them */
  send(): WorkshopFile[] {
    this.#sent.clear();
    for (const { name, text } of this.changed.peek()) this.#sent.set(name, text);
    return this.changed.peek().map(({ name, text, hash }) => ({ name, text, hash }));
  }

  /**
   * Takes the files of the folder. A text that was changed here stays, as a new file when the folder has it no more; when the
   * folder's was changed by another editor as well, it is a conflict.
   */
  receive(files: readonly WorkshopFile[], main: string): void {
    this.#main = main;
    const received = files.map((file): EditedFile => {
      const known = this.get(file.name);
      const taken = { ...file, kept: file.text, conflict: null };
      if (known === undefined || !isChanged(known) || known.text === file.text) return taken;
      if (known.hash === file.hash) return { ...known, conflict: null };
      if (this.#sent.get(file.name) === file.text) return { ...taken, text: known.text };
      return { ...known, conflict: file };
    });
    const missing = this.changed.peek().filter(({ name }) => !files.some((file) => file.name === name));
    const isNew = { kept: "", hash: "", conflict: null };
    this.#files.value = this.#sorted([...received, ...missing.map((file) => ({ ...file, ...isNew }))]);
  }

  setText(name: string, text: string): void {
    this.#change(name, (file) => (file.text === text ? file : { ...file, text }));
  }

  /** Adds a file that does not exist yet. */
  add(name: string): void {
    if (this.get(name) !== undefined) return;
    const file = { name, text: "", kept: "", hash: "", conflict: null };
    this.#files.value = this.#sorted([...this.#files.value, file]);
  }

  /** Takes a file back that is not kept yet. Without effect for any other. */
  remove(name: string): void {
    this.#files.value = this.#files.value.filter((file) => file.name !== name || file.hash !== "");
  }

  /** Takes back all changes; new files are gone. */
  revert(): void {
    this.#files.value = this.#files.value
      .filter(({ hash }) => hash !== "")
      .map(({ conflict, ...file }) => {
        const { text, hash } = conflict ?? { text: file.kept, hash: file.hash };
        return { ...file, text, hash, kept: text, conflict: null };
      });
  }

  /** Ends a conflict: with the folder's text, or with the one here, which the next keep writes over the folder's. */
  resolve(name: string, choice: "folder" | "mine"): void {
    this.#change(name, (file) => {
      const { conflict } = file;
      if (conflict === null) return file;
      const text = choice === "folder" ? conflict.text : file.text;
      return { ...file, text, hash: conflict.hash, kept: conflict.text, conflict: null };
    });
  }

  /** The main file, the others of its folder, and the rest by name. */
  #sorted(files: readonly EditedFile[]): EditedFile[] {
    const folder = this.#main.slice(0, this.#main.lastIndexOf("/") + 1);
    const rank = ({ name }: EditedFile) => (name === this.#main ? 0 : folder !== "" && name.startsWith(folder) ? 1 : 2);
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  }

  #change(name: string, change: (file: EditedFile) => EditedFile): void {
    const file = this.get(name);
    const changed = file && change(file);
    if (changed === file || changed === undefined) return;
    this.#files.value = this.#files.value.map((each) => (each === file ? changed : each));
  }
}
