import { type Blindness, hiddenSteps, type LifecycleEvent, LifecycleEvents } from "./lifecycle-events.ts";
import { readSpec } from "./quint-spec.ts";
import { apply, type Evaluation, QuintStates, type State } from "./quint-states.ts";

interface Options extends Blindness {
  /** Name of the startup app; null for none. */
  startupApp: string | null;
  /**
   * Whether the log begins with an awake robot at its default pose or one that sleeps; null for either, or one that wakes up.
   * Default true.
   */
  isAwake?: boolean | null;
}

/** The model of the lifecycle, which logs are compared with. */
export class LifecycleModel {
  readonly #states: QuintStates;
  readonly #steps: ReadonlyMap<string, Evaluation>;
  readonly #fair: readonly string[];

  constructor() {
    const spec = readSpec(new URL("./lifecycle.qnt", import.meta.url).pathname);
    this.#states = new QuintStates(spec);
    this.#fair = spec.fair.flatMap((labels) => [...labels]);
    this.#steps = new Map(spec.actions.map(({ label, expression }) => [label, this.#states.compile(expression)]));
  }

  /** @returns null when the model allows the events, else why it does not, as `LifecycleLogCheck.accept` */
  check(events: readonly LifecycleEvent[], options: Options): string | null {
    return this.begin(options).accept(events);
  }

  begin(options: Options): LifecycleLogCheck {
    return new LifecycleLogCheck(this, options);
  }

  get init(): State {
    return this.#states.init;
  }

  format(state: State): string {
    return this.#states.format(state);
  }

  /** Whether the daemon has something to do in a state: a step that happens in the end when it stays possible. */
  isDue(state: State): boolean {
    return this.#fair.some((step) => this.#steps.get(step)?.(state) != null);
  }

  /** The states that hidden steps lead to, and these states. */
  closure(states: readonly State[], hidden: readonly string[]): State[] {
    const all = new Map(states.map((state) => [String(state), state]));
    for (const state of all.values())
      for (const next of this.follow([state], hidden)) if (!all.has(String(next))) all.set(String(next), next);
    return [...all.values()];
  }

  follow(states: readonly State[], steps: readonly string[]): State[] {
    const all = new Map<string, State>();
    for (const state of states)
      for (const step of steps) {
        const evaluate = this.#steps.get(step);
        if (evaluate === undefined) throw new Error(`lifecycle.qnt has no step ${step}.`);
        const change = evaluate(state);
        if (change === null) continue;
        const next = apply(state, change);
        all.set(String(next), next);
      }
    return [...all.values()];
  }
}

/** Events of a log that are shown when the model does not allow the last one. */
const SHOWN_EVENTS = 40;

/** Compares the log of one daemon with the model, as it grows: the states that the daemon can be in, step by step. */
export class LifecycleLogCheck {
  readonly #model: LifecycleModel;
  readonly #translate: LifecycleEvents;
  readonly #hidden: readonly string[];
  readonly #log: LifecycleEvent[] = [];
  #states: State[];

  constructor(model: LifecycleModel, { startupApp, isAwake = true, ...blindness }: Options) {
    this.#model = model;
    this.#translate = new LifecycleEvents(startupApp);
    this.#hidden = hiddenSteps(blindness);
    const asleep = [model.init];
    const waking = model.follow(asleep, ['moveStarts("wake_up")']);
    const awake = model.follow(waking, ["wakeUpArrives"]);
    if (isAwake === null) this.#states = [...asleep, ...waking, ...awake];
    else this.#states = isAwake ? awake : asleep;
  }

  /** @returns null, or the end of the log up to the first event that the model does not allow, and the states that are possible before it */
  accept(events: readonly LifecycleEvent[]): string | null {
    for (const event of events) {
      this.#log.push(event);
      const hidden = [...this.#hidden, ...this.#translate.hidden];
      const steps = this.#translate.stepsOf(event);
      if (steps === null) continue;
      const before = this.#model.closure(this.#states, hidden);
      this.#states = this.#model.follow(before, steps);
      if (this.#states.length > 0) continue;
      return this.#contradiction("The model does not allow the last of these events:", before);
    }
    return null;
  }

  /** @returns null, or why the log must go on: in every state that is possible, the daemon has something to do */
  end(): string | null {
    const states = this.#model.closure(this.#states, [...this.#hidden, ...this.#translate.hidden]);
    if (states.some((state) => !this.#model.isDue(state))) return null;
    return this.#contradiction("The model does not allow the log to end here:", states);
  }

  #contradiction(what: string, states: readonly State[]): string {
    const earlier = this.#log.length - SHOWN_EVENTS;
    const log = this.#log.slice(-SHOWN_EVENTS).map((event) => JSON.stringify(event));
    if (earlier > 0) log.unshift(`(${earlier} events before)`);
    const possible = states.slice(0, 5).map((state) => this.#model.format(state));
    return [what, ...log, "It could be in:", ...possible].join("\n");
  }
}
