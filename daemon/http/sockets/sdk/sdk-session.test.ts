import { expect, test, vi } from "vitest";
import { ManualClock } from "../../../../common/time/manual-clock.ts";
import { DEFAULT_DIALECT } from "../../../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { Scope } from "../../connections/scope.ts";
import { SdkSession } from "./sdk-session.ts";

function start(setTarget: Robot["setTarget"]) {
  const send = vi.fn();
  const session = new SdkSession({
    dialect: DEFAULT_DIALECT,
    sender: "The app",
    versions: { client: "robot-sdk/0", daemon: "0" },
    robot: { setTarget } as Robot,
    clock: new ManualClock(),
    goToSleep: async () => "finished",
    scope: new Scope(),
    send,
    onRefused: () => undefined,
    onTooManyTargets: () => undefined,
  });
  const sendTarget = () => session.receive(JSON.stringify({ type: "set_full_target", antennas: [0, 0] }));
  return { send, sendTarget };
}

test("targets are answered with the next state, so that a stream of them costs no messages", () => {
  const setTarget = vi.fn(async () => undefined);
  void start(setTarget).sendTarget();
  expect(setTarget).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ antennas: [0, 0] }), "with-state");
});

test("targets that are merged and refused give one error", async () => {
  const refusal = Promise.reject(new WorkbenchError("motors-off", "The motors are off."));
  const { send, sendTarget } = start(() => refusal);
  for (let count = 0; count < 100; count += 1) void sendTarget();
  await refusal.catch(() => undefined);
  expect(send).toHaveBeenCalledExactlyOnceWith({ type: "error", code: "motors-off", detail: "The motors are off." });
});
