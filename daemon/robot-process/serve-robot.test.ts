import { EventEmitter } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import { Emitter } from "../../common/emitter.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import type { CallMessage, MessageFromRobotProcess } from "../robot-client/messages.ts";
import { unknownState } from "../robot-client/unknown-state.ts";
import { ParentPort, serveRobot } from "./serve-robot.ts";

let sent: MessageFromRobotProcess[];
let states: Emitter<RobotState>;
let motorsAreOn: boolean;
let call: (message: CallMessage) => void;

const setTarget = {
  kind: "call",
  object: "robot",
  method: "setTarget",
  args: [{}],
  isAnsweredWithState: true,
} as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  sent = [];
  states = new Emitter();
  motorsAreOn = true;
  const robot = {
    appSession: { isReturnOwed: false },
    wantedTorque: null,
    onState: (listener: (state: RobotState) => void) => states.on(listener),
    onEvent: () => () => undefined,
    readVoltage: async () => 5,
    setTarget: async () => {
      if (!motorsAreOn) throw new WorkbenchError("motors-off", "The motors are off.");
    },
  };
  const port = {
    send: (message: MessageFromRobotProcess, onSent?: () => void) => {
      sent.push(message);
      onSent?.();
    },
    onCall: (listener: typeof call) => {
      call = listener;
    },
  };
  serveRobot(robot as unknown as Parameters<typeof serveRobot>[0], port, () => undefined);
});

test("calls that may be answered with the state are, once, when the next one is sent", async () => {
  call({ ...setTarget, id: 1 });
  call({ ...setTarget, id: 2 });
  await settled();
  expect(sent).toEqual([]);
  for (const timestamp of [1, 2]) states.emit(unknownState(timestamp));
  await settled();
  expect(sent).toMatchObject([
    { kind: "state", answered: [1, 2] },
    { kind: "state", answered: [] },
  ]);
});

test("a refusal, a result and a call that does not wait for the state are answered at once", async () => {
  call({ ...setTarget, id: 1, isAnsweredWithState: false });
  motorsAreOn = false;
  call({ ...setTarget, id: 2 });
  call({ ...setTarget, id: 3, method: "readVoltage" });
  await settled();
  expect(sent).toMatchObject([
    { kind: "result", id: 1 },
    { kind: "error", id: 2, code: "motors-off" },
    { kind: "result", id: 3, value: 5 },
  ]);
});

test.each([
  ["before this program listened", false],
  ["later", true],
])("a main process that ended %s is noticed", (_, connected) => {
  const forked = Object.assign(new EventEmitter(), { connected });
  const onDisconnect = vi.fn();
  new ParentPort(forked as unknown as ConstructorParameters<typeof ParentPort>[0]).onDisconnect(onDisconnect);
  expect(onDisconnect).toHaveBeenCalledTimes(connected ? 0 : 1);
  if (connected) forked.emit("disconnect");
  expect(onDisconnect).toHaveBeenCalledOnce();
});
