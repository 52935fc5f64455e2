import { realpath } from "node:fs/promises";
import { SerialQueue } from "../../common/serial-queue.ts";
import type { Clock } from "../../common/time/clock.ts";
import { sameName } from "../../robot/wire/apps/app-search.ts";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import type { Job } from "../../robot/wire/apps/jobs.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import type { FileText, WriteResult } from "../../robot/wire/workshop/workshop.ts";
import type { InstalledApp } from "../apps/catalogue/installed-app.ts";
import type { Slot } from "../apps/slot/slot.ts";
import type { Robot } from "../robot-client/robot.ts";
import type { ChangedCopy, Workshop } from "./workshop.ts";

interface WorkshopRunsParts {
  workshop: Pick<Workshop, "app" | "shadow">;
  slot: Pick<Slot, "status" | "busy" | "start" | "free" | "changes">;
  clock: Clock;
  robot: Pick<Robot, "state" | "goto" | "wakeUp" | "simulation">;
  /** Whether the app is installed from its folder as editable, so that what runs without a copy is what is kept. */
  isInstalled(): Promise<boolean>;
  /** Installs the app from its folder as editable, and settles when that has ended. */
  install(): Promise<Job>;
}

/** Robot and slot as they were before a try. */
interface Before {
  /** Whether the app ran as it was kept. */
  ran: boolean;
  pose: Pick<RobotState, "headPose" | "antennas" | "headJoints">;
}

/** Edits whose states before are remembered. */
const MAX_EDITS = 50;
/** Milliseconds that an app has to start: to import what it needs, on a slow machine. */
const START_MS = 60_000;
/** Seconds of the move to the pose before a try. */
const RETURN_S = 0.5;

/** Runs changed code of an app in the slot, and takes slot and robot back to before. One thing at a time. */
export class WorkshopRuns {
  readonly #parts: WorkshopRunsParts;
  #before: Before | null = null;
  /** The states before the edits that were kept, by their times. */
  readonly #beforeEdits = new Map<string, Before>();
  /** Whether what runs as a try is kept. */
  #isKept = false;
  /** The changes that were tried last. */
  #tried: ReadonlyMap<string, string> = new Map();
  readonly #queue = new SerialQueue();

  constructor(parts: WorkshopRunsParts) {
    this.#parts = parts;
  }

  /** Whether the robot is a physical one. */
  get isPhysical(): boolean {
    return this.#parts.robot.simulation === undefined;
  }

  /** Installs the app from its folder unless it is, so that the first try need not. */
  prepare(): Promise<void> {
    return this.#queue.run(() => this.#installOnce());
  }

  /**
   * Runs the app with changes, in place of what runs; the robot stays where it is. Settles when its process runs.
   * @param confirmed whether a person has confirmed that a physical robot moves
   * @throws WorkbenchError `confirmation-required`; those of `Workshop.shadow` and of `Slot.start`; `install-failed`
   */
  try(changes: readonly FileText[], confirmed: boolean, signal: AbortSignal): Promise<AppStatus> {
    return this.#queue.run(async () => {
      const { workshop, robot, slot } = this.#parts;
      const copy = await workshop.shadow(changes, signal);
      if (this.isPhysical) requireKept(copy, confirmed);
      await this.#installOnce();
      // Something else may have run since the tries before.
      if (this.#before === null || slot.status()?.trial !== true) this.#before = this.#now();
      this.#isKept = false;
      this.#tried = new Map(changes.map(({ name, text }) => [name, text]));
      if (robot.state.motorMode === "disabled" && !robot.state.awake) await robot.wakeUp();
      return slot.start(workshop.app, { replace: true, inPlace: true, ...(this.isPhysical ? {} : { copy }) });
    });
  }

  /** The error with which the app fails until it has run for so many milliseconds; null when it does not. */
  awaitFailure(ms: number, signal: AbortSignal): Promise<string | null> {
    const { slot, clock } = this.#parts;
    return new Promise((resolve) => {
      let cancelTimer = clock.after(START_MS, () => end(null));
      const end = (error: string | null): void => {
        stop();
        cancelTimer();
        resolve(error);
      };
      let isRunning = false;
      const look = ({ state, error }: AppStatus): void => {
        if (state === "error") end(error ?? "it failed");
        else if (state === "done") end(null);
        else if (state === "running" && !isRunning) {
          isRunning = true;
          cancelTimer();
          cancelTimer = clock.after(ms, () => end(null));
        }
      };
      const stop = slot.changes.on(look);
      signal.addEventListener("abort", () => end(null), { once: true });
      const status = slot.status();
      if (status !== null) look(status);
    });
  }

  /**
   * Changes are kept. An app that runs as a try of them goes on and counts as the app itself; one that runs otherwise is
   * started again, on a simulated robot.
   * @param edit its time; null when nothing was changed
   * @returns what became of the run; never rejects, since the changes are kept whatever becomes of it
   */
  async kept(edit: string | null, files: readonly FileText[]): Promise<RunAfterWrite> {
    const { slot, workshop } = this.#parts;
    const isTried = files.every(({ name, text }) => this.#tried.get(name) === text);
    if (edit !== null) this.#beforeEdits.set(edit, this.#before ?? this.#now());
    if (this.#beforeEdits.size > MAX_EDITS) this.#beforeEdits.delete([...this.#beforeEdits.keys()][0] ?? "");
    this.#before = null;
    this.#isKept = true;
    const isOurs = slot.busy && slot.status()?.info.name === workshop.app;
    if (edit === null || !isOurs || this.isPhysical || (isTried && slot.status()?.trial)) return UNCHANGED;
    return this.#queue.run(() =>
      afterWrite(async () => {
        await slot.start(workshop.app, { replace: true, inPlace: true });
        return "started";
      }),
    );
  }

  /**
   * Stops what runs, restores the code, returns the robot to its pose before the edit was tried, and starts what ran then.
   * @param edit its time; null for tries that were not kept
   * @returns what became of the run @throws WorkbenchError those of `restore`, and no other
   */
  takeBack(edit: string | null, restore: () => Promise<void>): Promise<RunAfterWrite> {
    return this.#queue.run(async () => {
      const { workshop, robot, slot } = this.#parts;
      const before = this.#beforeEdits.get(edit ?? "") ?? this.#before ?? this.#now();
      const isOurs = slot.busy && slot.status()?.info.name === workshop.app;
      await restore();
      this.#beforeEdits.delete(edit ?? "");
      this.#before = null;
      this.#isKept = true;
      if (!isOurs) return UNCHANGED;
      return afterWrite(async () => {
        await slot.free();
        await robot.goto(targetOf(before.pose)).catch(() => undefined); // the robot is in its default pose, which is safe
        if (!before.ran) return "stopped";
        await slot.start(workshop.app);
        return "started";
      });
    });
  }

  #now(): Before {
    const { robot, slot, workshop } = this.#parts;
    const status = slot.status();
    const ran = slot.busy && status?.info.name === workshop.app && (status.trial !== true || this.#isKept);
    const { headPose, antennas, headJoints } = robot.state;
    return { ran, pose: { headPose, antennas, headJoints } };
  }

  async #installOnce(): Promise<void> {
    const { isInstalled, install } = this.#parts;
    if (await isInstalled()) return;
    const { status, error } = await install();
    if (status !== "done") throw new WorkbenchError("install-failed", error ?? `The install was ${status}.`);
  }
}

type RunAfterWrite = WriteResult["run"];
const UNCHANGED: RunAfterWrite = { state: "unchanged", problem: null };

/** Changes the run after files were written: what goes wrong with it is said beside what happened to them. */
async function afterWrite(change: () => Promise<RunAfterWrite["state"]>): Promise<RunAfterWrite> {
  try {
    return { state: await change(), problem: null };
  } catch (error) {
    const { code, detail } = problemOf(error);
    return { state: "failed", problem: { code, detail } };
  }
}

/** @throws WorkbenchError `confirmation-required` */
function requireKept({ isKept }: ChangedCopy, confirmed: boolean): void {
  if (!isKept)
    throw new WorkbenchError("confirmation-required", "A physical robot runs kept code only: keep the changes first.");
  if (!confirmed)
    throw new WorkbenchError("confirmation-required", 'The robot moves: confirm it with "confirmed": true.');
}

function targetOf({ headPose, antennas, headJoints: [bodyYaw = 0] }: Before["pose"]) {
  return { head: headPose, antennas, bodyYaw, duration: RETURN_S, method: "minjerk" as const };
}

/** Whether an app is installed from a folder as editable, so that it runs the code in there and not a copy of it. */
export async function isInstalledFromFolder(
  folder: string,
  app: string,
  installed: readonly Pick<InstalledApp, "info">[],
): Promise<boolean> {
  const { editable, folder: from } = installed.find(({ info }) => sameName(info.name, app))?.info.extra ?? {};
  if (editable !== true || typeof from !== "string") return false;
  const [one, other] = await Promise.all([folder, from].map((path) => realpath(path).catch(() => path)));
  return one === other;
}
