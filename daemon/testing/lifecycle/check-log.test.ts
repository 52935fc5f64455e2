import { expect, test } from "vitest";
import { LifecycleModel } from "./check-log.ts";
import type { LifecycleEvent } from "./lifecycle-events.ts";

const model = new LifecycleModel();

const slot = (app: string, ...states: ("starting" | "running" | "stopping" | "done" | "error")[]): LifecycleEvent[] =>
  states.map((state) => ({ kind: "slot", state, app }));
const process = (what: "started" | "exited"): LifecycleEvent => ({ kind: "process", what });
const move = (kind: "move_started" | "move_ended", name: string): LifecycleEvent => ({
  kind: "robot",
  event: { kind, data: { kind: name, outcome: "finished" } },
});
const phase = (name: "running" | "error"): LifecycleEvent => ({
  kind: "robot",
  event: { kind: "phase", data: { phase: name } },
});
const fails = (app: string) => [process("exited"), ...slot(app, "error")];
const tried = (app: string): LifecycleEvent => ({ kind: "startup-app-tried", app });
const crashRestart = (app: string): LifecycleEvent => ({ kind: "crash-restart-planned", app });
const reconnects = [phase("error"), phase("running")];
const touch: LifecycleEvent = { kind: "robot", event: { kind: "antenna_touched", data: {} } };
const returns = [move("move_started", "return_to_default"), move("move_ended", "return_to_default")];
const returnFails: LifecycleEvent[] = [
  move("move_started", "return_to_default"),
  { kind: "robot", event: { kind: "move_ended", data: { kind: "return_to_default" } } },
];
const wakesUp = [move("move_started", "wake_up"), move("move_ended", "wake_up")];
const runs = (app: string) => [...slot(app, "starting"), process("started"), ...slot(app, "running")];
const exits = (app: string) => [process("exited"), ...slot(app, "done")];

const check = (events: LifecycleEvent[], isAwake = true) =>
  model.check(events, { startupApp: "hello", seesRequests: false, isAwake });

test.each<[string, LifecycleEvent[], isAwake?: boolean]>([
  ["an app that runs and exits, and the next one", [...runs("a"), ...exits("a"), ...returns, ...runs("b")]],
  ["an app that is stopped", [...runs("a"), ...slot("a", "stopping"), ...exits("a"), ...returns]],
  ["a start that waits for the return", [...runs("a"), ...exits("a"), ...slot("b", "starting"), ...returns]],
  ["a restart in place", [...runs("a"), ...slot("a", "stopping"), ...exits("a"), ...runs("a")]],
  ["a touch that wakes the robot and starts the startup app", [touch, ...wakesUp, ...runs("hello")], false],
  ["a touch while an app runs", [...runs("a"), touch], false],
  [
    "a move that goes on while the robot process is silent",
    [...wakesUp.slice(0, 1), ...reconnects, ...wakesUp.slice(1)],
  ],
  [
    "a return that fails, and is tried again",
    [...runs("a"), ...exits("a"), ...returnFails, ...returnFails, ...returns],
  ],
  [
    "a return that fails before it begins, and is tried again",
    [...runs("a"), ...slot("a", "stopping"), ...exits("a"), { kind: "return-failed" }, touch, ...returns],
  ],
  ["an app after a return that failed", [...runs("a"), ...exits("a"), ...returnFails, ...runs("b")]],
  [
    "a move that a robot was told of before it hears late of the end of an app, and the return after it",
    [
      ...runs("a"),
      phase("error"),
      ...exits("a"),
      phase("running"),
      ...returns.slice(0, 1),
      move("move_started", "goto"),
      ...returns,
    ],
  ],
  [
    "a move of an app that is being stopped",
    [...runs("a"), { kind: "shutdown-requested" }, ...slot("a", "stopping"), move("move_started", "goto")],
  ],
  [
    "the startup app after it was started again for its crash, which is no decision of a user",
    [
      ...wakesUp,
      tried("hello"),
      ...runs("hello"),
      ...fails("hello"),
      crashRestart("hello"),
      ...returns,
      ...runs("hello"),
      ...exits("hello"),
      ...returns,
      ...reconnects,
      tried("hello"),
    ],
    false,
  ],
  [
    "a startup app that is chosen while another runs",
    [
      ...wakesUp,
      tried("hello"),
      ...runs("hello"),
      { kind: "startup-app-chosen", app: "b" },
      ...exits("hello"),
      ...returns,
      ...reconnects,
      tried("b"),
      ...runs("b"),
    ],
    false,
  ],
])("the model allows %s", (_, events, isAwake) => expect(check(events, isAwake)).toBe(null));

test.each<[string, LifecycleEvent[], isAwake?: boolean]>([
  ["two apps at the same time", [...runs("a"), ...slot("b", "starting")]],
  ["an app without the slot", [...runs("a"), ...slot("b", "done")]],
  ["a slot that is free while the app's process lives", [...runs("a"), ...slot("a", "stopping", "done")]],
  ["an app that starts before the robot has returned", [...runs("a"), ...exits("a"), ...runs("b")]],
  ["a return after no app", returns],
  ["a start while the robot returns", [...runs("a"), ...exits("a"), ...returns.slice(0, 1), ...runs("b")]],
  [
    "a startup app after a decision of a user",
    [...runs("a"), ...exits("a"), ...returns, ...reconnects, tried("hello")],
  ],
  [
    "a return after a newer move",
    [...runs("a"), ...exits("a"), ...returns.slice(0, 1), move("move_started", "goto"), ...returns],
  ],
  ["a second return while one goes on", [...runs("a"), ...exits("a"), ...returns.slice(0, 1), ...returns]],
  ["a return after one that arrived", [...runs("a"), ...exits("a"), ...returnFails, ...returns, ...returns]],
  ["a second move to the default pose", [...runs("a"), ...exits("a"), ...returns, ...reconnects, ...returns]],
  ["an app that ends twice", [...runs("a"), ...exits("a"), ...slot("a", "done")]],
])("the model refuses %s", (_, events, isAwake) => expect(check(events, isAwake)).toMatch(/^The model does not allow/));

test("a log ends when the daemon has nothing to do", () => {
  const end = (events: LifecycleEvent[]) => {
    const log = model.begin({ startupApp: null, seesRequests: false });
    return log.accept(events) ?? log.end();
  };
  expect(end(runs("a"))).toBe(null);
  expect(end([...runs("a"), ...exits("a"), ...returns])).toBe(null);
  const unfinished = /^The model does not allow the log to end here/;
  expect(end([...runs("a"), ...slot("a", "stopping")])).toMatch(unfinished);
  expect(end([...runs("a"), ...exits("a")])).toMatch(unfinished);
});
