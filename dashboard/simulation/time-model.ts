import { computed, signal } from "@preact/signals";
import { LatestSender } from "../../common/latest-sender.ts";
import type { SimulatedTime } from "../../robot/wire/scene/simulated-time.ts";
import type { Client } from "../connection/client.ts";

/** Seconds that a single step lets pass: two periods of the control loop, which one can see. */
const STEP = 0.02;
/** Seconds between the slider's moment and the robot's from which somebody else has moved it: moments are up to 0.2 s apart. */
const ELSEWHERE = 0.35;
/** Seconds from one position of the slider to the next, as snapshots are. */
export const SLIDER_STEP = 0.1;

/** The time of a simulated robot: pause, steps, slow motion, and the moment that the slider shows. */
export class TimeModel {
  readonly #client: Client;
  readonly #report: (error: unknown) => void;
  readonly #now: () => number;
  readonly #rewinds: LatestSender<number>;
  readonly #state = signal<SimulatedTime | null>(null);
  /** Milliseconds at which it was received. */
  #receivedAt = 0;
  /** The moment that the slider was moved to; the robot is at the last one up to it that is kept. */
  readonly #wanted = signal<number | null>(null);
  readonly isKept = computed(() => (this.#state.value?.kept ?? null) !== null);
  readonly paused = computed(() => this.#state.value?.paused ?? false);
  /** Chosen while the robot is paused; it goes on with it. */
  readonly #chosenSpeed = signal<number | null>(null);
  readonly speed = computed(() => this.#chosenSpeed.value ?? this.#state.value?.speed ?? 1);

  /** @param now milliseconds of a clock that only goes forward */
  constructor(client: Client, report: (error: unknown) => void, now: () => number) {
    this.#client = client;
    this.#report = report;
    this.#now = now;
    this.#rewinds = new LatestSender((to) => this.#post("rewind", { to }));
  }

  /** Seconds before the newest moment: of the slider's left end, and of the moment that is shown. */
  get range(): { oldest: number; shown: number } {
    const state = this.#state.value;
    if (!state?.kept) return { oldest: 0, shown: 0 };
    const { earliest } = state.kept;
    const latest = this.#latest(state);
    const shown = Math.min(0, (state.paused ? (this.#wanted.value ?? state.time) : latest) - latest);
    // The slider stops at whole steps from the newest moment.
    const oldest = -SLIDER_STEP * Math.ceil(Math.min(30, latest - earliest) / SLIDER_STEP - 0.01);
    return { oldest, shown };
  }

  receive(state: SimulatedTime): void {
    const wanted = this.#wanted.peek();
    const isElsewhere = wanted !== null && Math.abs(wanted - state.time) > ELSEWHERE;
    if (!state.paused) this.#chosenSpeed.value = null;
    if (!state.paused || (isElsewhere && !this.#rewinds.isSending)) this.#wanted.value = null;
    this.#receivedAt = this.#now();
    this.#state.value = state;
  }

  /** Fails silently while there is no simulation: the page shows that anyway. */
  load(): Promise<void> {
    const asked = this.#client.get<SimulatedTime>("/api/simulation/time");
    return asked.then(
      (state) => this.receive(state),
      () => undefined,
    );
  }

  /** Has the last 30 s kept from now on. */
  readonly keep = () => this.#post("history");
  readonly pause = () => this.#post("pause");
  readonly step = () => this.#post("step", { seconds: STEP });
  readonly resume = () => this.#post("resume", { speed: this.speed.peek() });

  /** @param speed factor to real time */
  setSpeed(speed: number): void {
    this.#chosenSpeed.value = speed;
    if (!this.paused.peek()) void this.resume();
  }

  /** Takes the robot to so many seconds before the newest moment. */
  show(seconds: number): void {
    const state = this.#state.peek();
    if (!state?.kept) return;
    const to = Math.max(state.kept.earliest, this.#latest(state) + seconds);
    this.#wanted.value = to;
    void this.#rewinds.send(to);
  }

  #latest({ time, paused, speed, kept }: SimulatedTime): number {
    return paused ? (kept?.latest ?? time) : time + (speed * (this.#now() - this.#receivedAt)) / 1000;
  }

  #post(what: string, body?: object): Promise<void> {
    const asked = this.#client.post<SimulatedTime>(`/api/simulation/${what}`, body);
    return asked.then((state) => this.receive(state), this.#report);
  }
}
