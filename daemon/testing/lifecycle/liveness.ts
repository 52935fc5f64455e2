import type { Graph } from "./explore.ts";
import type { LeadsTo, QuintSpec } from "./quint-spec.ts";
import type { QuintStates } from "./quint-states.ts";

/**
 * Looks for a run that satisfies `from` and never `to` afterwards, although every fair action that stays possible happens: a
 * set of states that can be repeated forever, in which each fair action happens or is impossible somewhere.
 * @returns a state of it, or null when there is none
 */
export function findViolation(spec: QuintSpec, model: QuintStates, graph: Graph, rule: LeadsTo): number | null {
  const [from, to] = [model.compile(rule.from), model.compile(rule.to)];
  const isOpen = graph.states.map((state) => to(state) === null);
  const reached = new Set<number>();
  const open: number[] = graph.states.flatMap((state, number) =>
    isOpen[number] && from(state) !== null ? [number] : [],
  );
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (reached.has(number)) continue;
    reached.add(number);
    for (const [, target] of graph.edges[number] ?? []) if (isOpen[target]) open.push(target);
  }
  const fair = spec.fair.map((labels) => spec.actions.map(({ label }) => labels.has(label)));
  for (const component of componentsOf(graph, reached)) {
    const members = new Set(component);
    const isFairRun = fair.every((isOneOf) => {
      const steps = component.map((number) => graph.edges[number]?.filter(([action]) => isOneOf[action]) ?? []);
      return steps.some((each) => each.length === 0 || each.some(([, target]) => members.has(target)));
    });
    if (isFairRun) return component[0] ?? null;
  }
  return null;
}

/** The strongly connected components of a part of a graph (Tarjan's algorithm, without recursion). */
function* componentsOf({ edges }: Graph, part: ReadonlySet<number>): Generator<number[]> {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const stack: number[] = [];
  const lower = (node: number, value: number | undefined): void => {
    low.set(node, Math.min(low.get(node) ?? 0, value ?? 0));
  };
  for (const root of part) {
    if (index.has(root)) continue;
    const work = [{ node: root, next: 0 }];
    for (let frame = work.at(-1); frame !== undefined; frame = work.at(-1)) {
      const { node } = frame;
      if (frame.next === 0) {
        index.set(node, index.size);
        low.set(node, index.get(node) ?? 0);
        stack.push(node);
        onStack.add(node);
      }
      const edge = edges[node]?.[frame.next];
      frame.next += 1;
      if (edge !== undefined) {
        const [, target] = edge;
        if (!part.has(target)) continue;
        if (!index.has(target)) work.push({ node: target, next: 0 });
        else if (onStack.has(target)) lower(node, index.get(target));
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent !== undefined) lower(parent.node, low.get(node));
      if (low.get(node) !== index.get(node)) continue;
      const component: number[] = [];
      for (let member = -1; member !== node; ) {
        member = stack.pop() ?? node;
        onStack.delete(member);
        component.push(member);
      }
      yield component;
    }
  }
}
