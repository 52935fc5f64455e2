import { computed, signal } from "@preact/signals";
import { LatestSender } from "../../common/latest-sender.ts";
import type {
  FailurePlace,
  UndoableEdit,
  WorkshopContents,
  WorkshopFinding,
  WriteResult,
} from "../../robot/wire/workshop/workshop.ts";
import { type Client, RequestError } from "../connection/client.ts";
import { CertificationModel } from "./certification-model.ts";
import { EditedFiles } from "./edited-files.ts";
import { ModelAsks } from "./model-asks.ts";
import type { StreamLines } from "./stream-lines.ts";
import { type TryRecording, TryRecordings } from "./try-recordings.ts";

interface EditSessionOptions {
  /** Sends the secret of the workshop. */
  client: Client;
  stream: StreamLines;
  /** Asks a person before something is done. */
  confirm(question: { text: string; detail: string; action: string; run(): unknown }): void;
  report(error: unknown): void;
  info(text: string): void;
  /** The daemon refuses the secret. */
  onSecretRefused(): void;
}

type Action = "try" | "keep" | "undo";

interface QueuedAction {
  action: Action;
  run: () => Promise<void>;
}

/** An app that is edited: its files, what the check finds, and what can be done with changes. */
export class EditSession {
  readonly files = new EditedFiles();
  /** The name of the file that is shown. */
  readonly current = signal("");
  readonly findings = signal<readonly WorkshopFinding[]>([]);
  /** Whether the text has been checked at all. */
  readonly isChecked = signal(false);
  /** The app's last failure, known by its time, and where its traceback leads to; null before it fails. */
  readonly #failure = signal<{ since: number; place: FailurePlace | null } | null>(null);
  readonly undoable = signal<UndoableEdit | null>(null);
  /** What became of edits whose write was interrupted, except what a person has dismissed. */
  readonly interrupted = computed(() => this.#interrupted.value.filter((text) => !this.#dismissed.value.has(text)));
  readonly #interrupted = signal<readonly string[]>([]);
  readonly #dismissed = signal<ReadonlySet<string>>(new Set());
  /** Whether the robot is a physical one. */
  readonly physical = signal(false);
  /** Of the app's files in its folder; changes when one of them does. */
  readonly #revision = signal("");
  /** Whether the app's files have been read. */
  readonly loaded = signal(false);
  /** The action that is under way; null while none is. */
  readonly pending = signal<Action | null>(null);
  /** Whether changes were tried, and neither kept nor undone since. */
  readonly tried = signal(false);
  readonly canUndo = computed(() => this.files.isChanged.value || this.tried.value || this.undoable.value !== null);
  /** The requests to the code model. */
  readonly asks: ModelAsks;
  readonly certification: CertificationModel;
  /** The motions of the last tries. */
  readonly recordings = new TryRecordings();
  readonly #options: EditSessionOptions;
  readonly #checks: LatestSender<null>;
  /** The actions that wait for the one under way. */
  readonly #queue: QueuedAction[] = [];
  /** What the editor and the folder had when the last action was requested; after an undo, what it left. */
  #stateAtLastAction = "";

  constructor(options: EditSessionOptions) {
    this.#options = options;
    this.#checks = new LatestSender(() => this.#check());
    this.certification = new CertificationModel({
      client: options.client,
      files: this.files,
      revision: this.#revision,
      report: (error) => this.#fail(error),
    });
    this.asks = new ModelAsks({
      files: this.files,
      stream: options.stream,
      onText: (name, text) => this.setText(name, text),
      show: (name) => {
        this.current.value = name;
      },
      report: (error) => this.#fail(error),
    });
  }

  /** Reads the app's files from the folder; what was changed here stays. */
  async load(): Promise<void> {
    await this.#request(async () => {
      this.#receive(await this.#options.client.get<WorkshopContents>("/api/workshop/files"));
    });
  }

  /**
   * Asks the daemon which line of the app the traceback of its failure names, for `failurePlace`.
   * @param since when the app failed, milliseconds since the Unix epoch
   */
  async findFailure(since: number): Promise<void> {
    const failure = { since, place: null };
    this.#failure.value = failure;
    await this.#request(async () => {
      const { place } = await this.#options.client.get<{ place: FailurePlace | null }>("/api/workshop/failure");
      if (this.#failure.peek() === failure) this.#failure.value = { since, place };
    });
  }

  /**
   * The line of the app that the traceback of a failure names; null without one, or while it is not known.
   * @param since when the app failed, milliseconds since the Unix epoch
   */
  failurePlace(since: number): FailurePlace | null {
    const failure = this.#failure.value;
    return failure?.since === since ? failure.place : null;
  }

  /** Adds a file, which the next keep makes. @param name its path in the app */
  addFile(name: string): void {
    this.files.add(name);
    this.current.value = name;
    this.#checkText();
  }

  /** Removes a new file that was never kept. */
  removeFile(name: string): void {
    this.asks.forget(name);
    this.files.remove(name);
    this.current.value = this.files.list.peek()[0]?.name ?? "";
    this.#checkText();
  }

  /** A person has changed the text of a file. */
  setText(name: string, text: string): void {
    if (this.files.get(name)?.text === text) return;
    this.files.setText(name, text);
    this.#checkText();
  }

  /** Ends a conflict: with the folder's text, or with the one here, which the next keep writes over the folder's. */
  resolve(name: string, choice: "folder" | "mine"): void {
    if (choice === "folder") this.asks.forget(name);
    this.files.resolve(name, choice);
    this.#checkText();
  }

  /** Checks the text at once. What is typed during a check is checked in one more, when it has ended. */
  #checkText(): void {
    void this.#checks.send(null).catch(this.#options.report);
  }

  /** Runs the app with the changes; nothing is written to its folder. */
  readonly try = (): Promise<void> => {
    if (this.#isArriving()) return Promise.resolve();
    if (!this.physical.peek()) return this.#try(false);
    const detail = "Nobody should be within its reach.";
    this.#options.confirm({ text: "The robot moves now.", detail, action: "Run it", run: () => this.#try(true) });
    return Promise.resolve();
  };

  /** Has the model edit the file that is shown. @param instruction empty for the next edit after those before */
  ask(instruction: string): Promise<void> {
    return this.asks.ask(this.current.peek(), instruction);
  }

  /** Puts the changes of an earlier try into the editor, in place of those that are there. */
  restoreTry({ changes }: TryRecording): void {
    this.asks.stop();
    this.asks.accept();
    this.files.revert();
    for (const { name, text } of changes) {
      this.files.add(name);
      this.setText(name, text);
    }
  }

  /** Writes the changes to the app's folder. */
  readonly keep = (): Promise<void> => (this.#isArriving() ? Promise.resolve() : this.#keep(this.asks.instruction, []));

  /** Whether an edit of the model still arrives; then tells the person to wait, because a part of it is neither tried nor kept. */
  #isArriving(): boolean {
    const isArriving = this.asks.isArriving.peek();
    if (isArriving) this.#options.info("The model's edit still arrives: wait for its end, or stop it.");
    return isArriving;
  }

  /** Undoes what is not kept; when everything is, the last edit that was kept. */
  readonly undo = (): Promise<void> =>
    this.#enqueue("undo", async () => {
      const edit = this.files.isChanged.peek() || this.tried.peek() ? null : (this.undoable.peek()?.time ?? null);
      // At once: what is typed while the robot returns is a new change.
      this.asks.stop();
      this.asks.accept();
      this.asks.instruction = "";
      this.files.revert();
      this.#stateAtLastAction = this.#state();
      const result = await this.#options.client.post<WriteResult>("/api/workshop/undo", { edit });
      this.tried.value = false;
      this.#receiveResult(result);
    });

  #try(confirmed: boolean): Promise<void> {
    return this.#enqueue("try", async () => {
      const files = this.files.changes;
      this.recordings.begin(files);
      await this.#options.client.post("/api/workshop/try", { files, confirmed });
      this.tried.value = true;
    });
  }

  #keep(instruction: string, confirmed: readonly string[]): Promise<void> {
    return this.#enqueue("keep", async () => {
      const files = this.files.send();
      if (files.length === 0) return;
      try {
        const body = { files, instruction, confirmed };
        const result = await this.#options.client.post<WriteResult>("/api/workshop/keep", body);
        this.tried.value = false;
        this.asks.accept();
        this.asks.instruction = "";
        this.#options.info(`Kept: ${files.map(({ name }) => name).join(", ")}.`);
        this.#receiveResult(result);
      } catch (error) {
        if (!(error instanceof RequestError && error.code === "confirmation-required")) throw error;
        const run = () =>
          this.#keep(
            instruction,
            files.map(({ name }) => name),
          );
        this.#options.confirm({ text: "Keep this change, too?", detail: error.message, action: "Keep", run });
      }
    });
  }

  /**
   * Runs one action after the other. An action that repeats the last one of the queue is dropped, unless a text has changed
   * since, in the editor or in the folder: a second undo counts once the first one is seen, so not while that one waits.
   */
  async #enqueue(action: Action, run: () => Promise<void>): Promise<void> {
    const last = this.#queue.at(-1)?.action ?? this.pending.peek();
    const state = this.#state();
    const isUnseenUndo = action === "undo" && this.#queue.length > 0;
    if (last === action && (isUnseenUndo || state === this.#stateAtLastAction)) return;
    this.#stateAtLastAction = state;
    if (last !== null) {
      this.#queue.push({ action, run });
      return;
    }
    for (let next: QueuedAction | undefined = { action, run }; next !== undefined; next = this.#queue.shift()) {
      this.pending.value = next.action;
      await this.#request(next.run);
    }
    this.pending.value = null;
  }

  /** The changes, and the hashes of the files in the folder, as JSON. */
  #state(): string {
    return JSON.stringify([this.files.changes, this.files.list.peek().map(({ hash }) => hash)]);
  }

  /** Runs something that sends requests, and reports its error. Loads the files again when the daemon has refused an edit. */
  async #request(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#fail(error);
      if (error instanceof RequestError && error.code === "edit-refused") void this.load();
    }
  }

  #fail(error: unknown): void {
    if (error instanceof RequestError && error.code === "workshop-secret") this.#options.onSecretRefused();
    else this.#options.report(error);
  }

  /** Takes what a keep or an undo did to the files, and reports what went wrong with the run afterwards. */
  #receiveResult({ contents, run: { problem } }: WriteResult): void {
    if (contents === null) void this.load();
    else this.#receive(contents);
    if (problem !== null) this.#options.report(new Error(`The files are written. The run: ${problem.detail}`));
  }

  /** Hides what became of an interrupted edit. */
  dismissInterrupted(text: string): void {
    this.#dismissed.value = new Set([...this.#dismissed.peek(), text]);
  }

  #receive({ files, main, revision, undoable, physical, interrupted }: WorkshopContents): void {
    this.files.receive(files, main);
    this.#revision.value = revision;
    this.undoable.value = undoable;
    this.physical.value = physical;
    this.#interrupted.value = interrupted;
    if (this.files.get(this.current.peek()) === undefined) this.current.value = main;
    this.loaded.value = true;
    this.#checkText();
  }

  async #check(): Promise<void> {
    const body = { files: this.files.changes };
    const { findings } = await this.#options.client.post<{ findings: WorkshopFinding[] }>("/api/workshop/check", body);
    this.findings.value = findings;
    this.isChecked.value = true;
  }
}
