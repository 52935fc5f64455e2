import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import { RpcClient } from "../rpc/rpc-client.ts";
import { unknownState } from "../unknown-state.ts";
import type { RobotChildProcess } from "./robot-process.ts";
import { RobotSupervisor } from "./robot-supervisor.ts";
import { UNRESPONSIVE_MS } from "./watchdog.ts";

const wakingUp: RobotState = {
  ...unknownState(0),
  ...{ phase: "running", awake: true, move: { id: "1", kind: "wake_up" } },
};
const cue: RobotEvent = { kind: "cue", level: "info", message: "Cue: wake_up_sound.", data: {} };

test("a process that responds again is reported as it was before, until its next state comes", async () => {
  const clock = new ManualClock();
  const child = Object.assign(new EventEmitter(), { pid: 1, connected: true, kill: () => true, send: () => true });
  const start = () => child as unknown as RobotChildProcess;
  const options = { entry: new URL("file:///robot-process"), link: "serial", clock, start };
  const supervisor = new RobotSupervisor(options, new RpcClient(clock));
  const events: RobotEvent[] = [];
  supervisor.events.on((event) => events.push(event));
  const ready = supervisor.ready(new AbortController().signal);
  child.emit("message", { kind: "state", state: wakingUp, answered: [], isReturnOwed: false });
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
