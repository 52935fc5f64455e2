import { hiddenSteps, type LifecycleEvent, LifecycleEvents } from "./lifecycle-events.ts";
import { readSpec } from "./quint-spec.ts";
import { apply, type Evaluation, QuintStates, type State } from "./quint-states.ts";

interface Options {
  /** Name of the startup app; null for none. */
  startupApp: string | null;
  /** Whether the log contains all requests to stop, and their answers. */
  seesRequests: boolean;
  /** Whether the log begins with an awake robot at its default pose, instead of one that sleeps. Default true. */
  isAwake?: boolean;
}

/** The model of the lifecycle, which logs are compared with. */
export class LifecycleModel {
  readonly #states: QuintStates;
  readonly #steps: ReadonlyMap<string, Evaluation>;

  constructor() {
    const spec = readSpec(new URL("./lifecycle.qnt", import.meta.url).pathname);
    this.#states = new QuintStates(spec);
    this.#steps = new Map(spec.actions.map(({ label, expression }) => [label, this.#states.compile(expression)]));
  }

  /**
   * Compares a log with the model: the states that the daemon can be in, step by step.
   * @returns null when the model allows it, else the log up to the first event that it does not, and the states before it
   */
  check(events: readonly LifecycleEvent[], { startupApp, seesRequests, isAwake = true }: Options): string | null {
    const translate = new LifecycleEvents(startupApp);
    const hidden = [...hiddenSteps(seesRequests)];
    const wakeUp = isAwake ? ['moveStarts("wake_up")', "wakeUpArrives"] : [];
    let states = wakeUp.reduce((from, step) => this.#follow(from, [step]), [this.#states.init]);
    for (const [index, event] of events.entries()) {
      const steps = translate.stepsOf(event);
      if (steps === null) continue;
      const before = this.#closure(states, hidden);
      states = this.#follow(before, steps);
      if (states.length > 0) continue;
      const log = events.slice(0, index + 1).map((each) => JSON.stringify(each));
      const possible = before.slice(0, 5).map((state) => this.#states.format(state));
      return ["The model does not allow the last of these events:", ...log, "It could be in:", ...possible].join("\n");
    }
    return null;
  }

  /** The states that hidden steps lead to, and these states. */
  #closure(states: readonly State[], hidden: readonly string[]): State[] {
    const all = new Map(states.map((state) => [String(state), state]));
    for (const state of all.values())
      for (const next of this.#follow([state], hidden)) if (!all.has(String(next))) all.set(String(next), next);
    return [...all.values()];
  }

  #follow(states: readonly State[], steps: readonly string[]): State[] {
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
