import { expect, test } from "vitest";
import { exploreStates, pathTo } from "./explore.ts";
import { findViolation } from "./liveness.ts";
import { readSpec } from "./quint-spec.ts";
import { QuintStates } from "./quint-states.ts";

const began = process.cpuUsage();
const spec = readSpec(new URL("./lifecycle.qnt", import.meta.url).pathname);
const model = new QuintStates(spec);
const graph = exploreStates(spec, model);
const seconds = process.cpuUsage(began).user / 1e6;
const steps = graph.edges.reduce((sum, { length }) => sum + length, 0);
process.stderr.write(
  `lifecycle.qnt: ${graph.states.length} states, ${steps} steps, ${seconds.toFixed(1)} s of processor time\n`,
);

test.each(spec.invariants)("in every state: $name", ({ expression }) => {
  const holds = model.compile(expression);
  const broken = graph.states.findIndex((state) => holds(state) === null);
  expect(broken < 0 ? [] : [...pathTo(spec, graph, broken), model.format(graph.states[broken] ?? [])]).toEqual([]);
});

test.each(spec.liveness)("in the end: $name", (rule) => {
  const state = findViolation(spec, model, graph, rule);
  expect(state === null ? [] : [...pathTo(spec, graph, state), model.format(graph.states[state] ?? [])]).toEqual([]);
});

test("every action happens", () => {
  const taken = new Set(graph.edges.flat().map(([action]) => action));
  expect(spec.actions.filter((_, action) => !taken.has(action)).map(({ label }) => label)).toEqual([]);
});
