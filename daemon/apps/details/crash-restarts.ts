import { z } from "zod";
import { SerialQueue } from "../../../common/serial-queue.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { normaliseName } from "../../../robot/wire/apps/app-search.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import { problemOf } from "../../../robot/wire/errors.ts";
import { readJson, writeJson } from "../../files/json-file.ts";
import type { Slot } from "../slot/slot.ts";

/** The content of `restart-after-crash.json`: the apps that are started again. */
export const CrashRestartsFile = z.object({ apps: z.array(z.string()) });

interface CrashRestartsParts {
  slot: Pick<Slot, "start" | "changes" | "userDecisions">;
  clock: Clock;
  file: string;
  /** Gets a sentence for people. */
  onRestart(message: string): void;
}

/** Pauses before each further start of an app that fails; after the last it is left alone. */
const RESTART_AFTER_MS = [1000, 5000, 20_000];
/** An app that ran for so long has not failed at once: its attempts count from the first again, milliseconds. */
const LONG_RUN_MS = 60_000;

/** Starts the apps that a person chose again when they fail, three times at most, until a person starts or stops something. */
export class CrashRestarts {
  readonly #parts: CrashRestartsParts;
  #apps: ReadonlySet<string>;
  readonly #changes = new SerialQueue();
  #attempts = 0;
  /** When the app that runs entered that state; null while none does. */
  #runningSince: number | null = null;
  #cancel = (): void => {};
  readonly #unsubscribe: (() => void)[];

  private constructor(apps: readonly string[], parts: CrashRestartsParts) {
    this.#apps = new Set(apps.map(normaliseName));
    this.#parts = parts;
    const { slot } = parts;
    this.#unsubscribe = [
      slot.changes.on((status) => this.#onChange(status)),
      slot.userDecisions.on(() => {
        this.#cancel();
        this.#attempts = 0;
      }),
    ];
  }

  static async open(parts: CrashRestartsParts): Promise<CrashRestarts> {
    return new CrashRestarts((await readJson(parts.file, CrashRestartsFile))?.apps ?? [], parts);
  }

  has(name: string): boolean {
    return this.#apps.has(normaliseName(name));
  }

  /** One change after the other, so that none is lost. @throws WorkbenchError `disk-full` */
  choose(name: string, restarts: boolean): Promise<void> {
    return this.#changes.run(async () => {
      const apps = new Set(this.#apps);
      if (restarts) apps.add(normaliseName(name));
      else apps.delete(normaliseName(name));
      await writeJson(this.#parts.file, { apps: [...apps] }, { what: "The choice to start the app again" });
      this.#apps = apps;
    });
  }

  close(): void {
    this.#cancel();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** Another app may have the slot by now, the app may be gone, and the robot may sleep. */
  async #start(name: string): Promise<void> {
    try {
      await this.#parts.slot.start(name, { requester: "daemon" });
    } catch (error) {
      this.#parts.onRestart(`${name} is left alone after it failed. ${problemOf(error).detail}`);
    }
  }

  #onChange({ info, state, trial }: AppStatus): void {
    if (trial) return; // the one who tries it sees it fail
    const { clock, onRestart } = this.#parts;
    if (state === "running") this.#runningSince = clock.now();
    if (state !== "error" || !this.has(info.name)) return;
    if (this.#runningSince !== null && clock.now() - this.#runningSince > LONG_RUN_MS) this.#attempts = 0;
    this.#runningSince = null;
    const pause = RESTART_AFTER_MS[this.#attempts];
    if (pause === undefined) {
      onRestart(`${info.name} failed ${RESTART_AFTER_MS.length + 1} times and is left alone.`);
      return;
    }
    this.#attempts += 1;
    onRestart(`${info.name} failed; it is started again in ${pause / 1000} s.`);
    this.#cancel();
    this.#cancel = clock.after(pause, () => void this.#start(info.name));
  }
}
