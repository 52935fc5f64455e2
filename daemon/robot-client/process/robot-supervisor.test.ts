import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { RpcClient } from "../rpc/rpc-client.ts";
import type { TorqueState } from "../torque-state.ts";
import { unknownState } from "../unknown-state.ts";
import type { PreviousState, RobotChildProcess } from "./robot-process.ts";
import { RobotSupervisor } from "./robot-supervisor.ts";
import { UNRESPONSIVE_MS } from "./watchdog.ts";

const wakingUp: RobotState = {
  ...unknownState(0),
  ...{ phase: "running", awake: true, move: { id: "1", kind: "wake_up" } },
};
const cue: RobotEvent = { kind: "cue", level: "info", message: "Cue: wake_up_sound.", data: {} };

function supervised(clock: ManualClock) {
  /** Ids of the calls that wait for an answer. */
  const calls: string[] = [];
  const send = ({ id }: { id: string }) => calls.push(id) > 0;
  const child = Object.assign(new EventEmitter(), { pid: 1, connected: true, kill: () => true, send });
  /** What each process was told of the one before. */
  const told: PreviousState[] = [];
  const start = (_: unknown, previous: PreviousState) => {
    told.push(previous);
    return child as unknown as RobotChildProcess;
  };
  const options = { entry: new URL("file:///robot-process"), link: "serial", clock, start };
  const rpc = new RpcClient(clock);
  const supervisor = new RobotSupervisor(options, rpc);
  const events: RobotEvent[] = [];
  supervisor.events.on((event) => events.push(event));
  const report = (state: RobotState, wantedTorque: TorqueState | null = null) =>
    child.emit("message", { kind: "state", state, answered: calls.splice(0), isReturnOwed: false, wantedTorque });
  return { child, rpc, supervisor, events, report, told };
}

test("a process that responds again is reported as it was before, until its next state comes", async () => {
  const clock = new ManualClock();
  const { child, supervisor, events, report } = supervised(clock);
  const ready = supervisor.ready(new AbortController().signal);
  report(wakingUp);
  await ready;

  clock.advance(2 * UNRESPONSIVE_MS);
  expect(supervisor.state).toMatchObject({ phase: "error", move: null });
  child.emit("message", { kind: "event", event: cue });
  expect(supervisor.state).toEqual(wakingUp);
  expect(events.slice(-2)).toMatchObject([
    { message: "The robot's process responds again.", data: { phase: "running" } },
    cue,
  ]);
});

test("what a process has sent before its end counts, although its end is reported first", async () => {
  const { child, rpc, supervisor, events, report } = supervised(new ManualClock());
  const robot = rpc.methodsOf<{ close(): Promise<void> }>("robot", { close: {} });
  const ready = supervisor.ready(new AbortController().signal);
  report({ ...wakingUp, move: null, motorMode: "enabled" });
  await ready;
  const closed = supervisor.close(() => robot("close", []));
  await nextTurn();
  child.emit("exit", 0, null);
  await nextTurn();
  report({ ...wakingUp, move: null, phase: "stopped", awake: false, motorMode: "disabled" });
  Object.assign(child, { connected: false }).emit("disconnect");
  await closed;
  expect(events).toEqual([]);
});

test("a process is told the torque that was wanted of the lost one, also while the robot did not have it", async () => {
  const clock = new ManualClock();
  const { child, supervisor, report, told } = supervised(clock);
  const ready = supervisor.ready(new AbortController().signal);
  const wanted: TorqueState = { mode: "gravity_compensation", joints: [0, 1, 2] };
  report({ ...wakingUp, motorMode: "disabled" }, wanted);
  await ready;
  Object.assign(child, { connected: false }).emit("exit", null, "SIGKILL");
  await nextTurn();
  await clock.advanceAsync(1000);
  expect(told).toEqual([
    { awake: false, torque: null },
    { awake: true, torque: wanted, isReturnOwed: false },
  ]);
});
