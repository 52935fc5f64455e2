import type { QuintSpec } from "./quint-spec.ts";
import { apply, type Change, type QuintStates, type State } from "./quint-states.ts";

/** A step of the model: the number of an action in `actions`, and of the state that it leads to. */
type Edge = readonly [action: number, target: number];

/** All reachable states of a specification. State 0 is the initial one. */
export interface Graph {
  states: readonly State[];
  /** For each state the steps that are possible there. */
  edges: readonly (readonly Edge[])[];
  /** The first step that led to each state, to show how it is reached. */
  origins: readonly { state: number; action: number }[];
}

/** @throws Error when there are more states than `limit` */
export function exploreStates(spec: QuintSpec, model: QuintStates, limit = 200_000): Graph {
  const actions = spec.actions.map(({ expression }) => model.compile(expression));
  const numbers = new Map([[keyOf(model.init, []), 0]]);
  const states: State[] = [model.init];
  const edges: Edge[][] = [];
  const origins = [{ state: -1, action: -1 }];
  const add = (from: number, state: State, action: number, change: Change): number => {
    const key = keyOf(state, change);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (states.length === limit) throw new Error(`The model has more than ${limit} states.`);
    numbers.set(key, states.length);
    origins.push({ state: from, action });
    return states.push(apply(state, change)) - 1;
  };
  for (const [number, state] of states.entries()) {
    const from: Edge[] = [];
    for (const [action, evaluate] of actions.entries()) {
      const change = evaluate(state);
      if (change !== null) from.push([action, add(number, state, action, change)]);
    }
    edges.push(from);
  }
  return { states, edges, origins };
}

/** A number for a changed state. Each variable has less than 2^16 values. */
function keyOf(state: State, change: Change): number {
  let key = 0;
  for (let variable = 0; variable < state.length; variable += 1)
    key = key * 2 ** 16 + (change[variable] ?? state[variable] ?? 0);
  return key;
}

/** How a state is reached from the initial one: the labels of the steps. */
export function pathTo(spec: QuintSpec, { origins }: Graph, state: number): string[] {
  const path: string[] = [];
  for (let at = origins[state]; at !== undefined && at.state >= 0; at = origins[at.state])
    path.unshift(spec.actions[at.action]?.label ?? "");
  return path;
}
