import { computed, signal } from "@preact/signals";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import type { FileText } from "../../robot/wire/workshop/workshop.ts";
import type { Motion, MotionSample } from "../../ui/motion/motion.ts";

/** Seconds of motion that are kept of a try, and tries. */
const [MAX_SECONDS, MAX_TRIES] = [20, 6];

/** The motion of one try, from the moment when its app was connected. */
export interface TryRecording extends Motion {
  id: number;
  /** What was tried. */
  changes: readonly FileText[];
}

/** A recording under way. */
interface CurrentRecording {
  id: number;
  changes: readonly FileText[];
  /** When its app was connected; null before. */
  begin: number | null;
  samples: MotionSample[];
  /** Of the run that it takes the place of. */
  since: number | undefined;
}

/** The motions of the last tries, for comparison. */
export class TryRecordings {
  /** The oldest first. */
  readonly list = signal<readonly TryRecording[]>([]);
  /** How many there are, with the one that is recorded. */
  readonly count = computed(() => this.list.value.length + (this.#hasMotion.value ? 1 : 0));
  readonly #hasMotion = signal(false);
  #status: AppStatus | null = null;
  #nextId = 1;
  /** The one that is recorded. */
  #current: CurrentRecording | null = null;

  /** A try is requested. */
  begin(changes: readonly FileText[]): void {
    this.end();
    this.#current = { id: this.#nextId++, changes, begin: null, samples: [], since: this.#status?.since };
  }

  /** A state of the robot, while the slot has this status. */
  receive({ timestamp, headPose, headJoints, antennas }: MotionSample, status: AppStatus | null): void {
    this.#status = status;
    const current = this.#current;
    if (current === null) return;
    const runs = status?.trial === true && status.state === "running" && status.since !== current.since;
    if (!runs) {
      if (current.begin !== null) this.end();
      return;
    }
    current.begin ??= timestamp;
    const time = timestamp - current.begin;
    if (time > MAX_SECONDS) {
      this.end();
      return;
    }
    if (time > (current.samples.at(-1)?.timestamp ?? -1))
      current.samples.push({ timestamp: time, headPose, headJoints, antennas });
    this.#hasMotion.value = current.samples.length > 1;
  }

  /** Ends the recording under way and adds it to the list, unless the app ran for less than two states. */
  end(): void {
    const { id = 0, changes = [], samples = [] } = this.#current ?? {};
    this.#current = null;
    this.#hasMotion.value = false;
    if (samples.length > 1) this.list.value = [...this.list.value, { id, changes, samples }].slice(-MAX_TRIES);
  }
}
