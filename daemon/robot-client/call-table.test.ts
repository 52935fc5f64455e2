import { beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../common/time/manual-clock.ts";
import type { Target } from "../../robot/wire/robot/target.ts";
import { ROBOT_CALLS } from "./call-table.ts";
import type { CallMessage } from "./messages.ts";
import type { Robot } from "./robot.ts";
import { deriveMethods } from "./rpc/method-proxy.ts";
import { RpcClient } from "./rpc/rpc-client.ts";

const INTERVAL_MS = 2;
const MAX_UNANSWERED = 20;

let clock: ManualClock;
let rpc: RpcClient;
let sent: CallMessage[];
let robot: Pick<Robot, "setTarget" | "goto">;

const post = (call: CallMessage) => void sent.push(call);
const targetAt = (yaw: number): Target => ({ bodyYaw: yaw });
/** Targets from 1 on, one each interval, so that each could be sent. */
function streamTargets(count: number): Promise<PromiseSettledResult<void>[]> {
  const answers: Promise<void>[] = [];
  for (let yaw = 1; yaw <= count; yaw += 1) {
    answers.push(robot.setTarget(targetAt(yaw), "with-state"));
    clock.advance(INTERVAL_MS);
  }
  return Promise.allSettled(answers);
}
const answer = (...calls: CallMessage[]) => {
  for (const { id } of calls) rpc.receive({ kind: "result", id, value: undefined });
};
const yaws = () => sent.map(({ args: [target] }) => (target as Target).bodyYaw);

beforeEach(() => {
  clock = new ManualClock();
  rpc = new RpcClient(clock);
  sent = [];
  rpc.connect(post);
  robot = deriveMethods<Robot>(rpc.methodsOf<Robot>("robot", ROBOT_CALLS));
});

test("targets of two states are sent without an answer; those beyond wait, merged, for one", async () => {
  const answers = streamTargets(MAX_UNANSWERED + 10);
  expect(yaws()).toEqual(Array.from({ length: MAX_UNANSWERED }, (_, index) => index + 1));
  expect(sent.every(({ isAnsweredWithState }) => isAnsweredWithState)).toBe(true);
  answer(...sent);
  await clock.advanceAsync(0);
  expect(yaws().at(-1)).toBe(MAX_UNANSWERED + 10);
  expect(sent).toHaveLength(MAX_UNANSWERED + 1);
  answer(...sent.slice(-1));
  expect((await answers).every(({ status }) => status === "fulfilled")).toBe(true);
});

test("a goto follows the newest of a flood of targets, which it does not wait for", () => {
  for (let yaw = 1; yaw <= 1000; yaw += 1) void robot.setTarget(targetAt(yaw), "with-state");
  void robot.goto({ bodyYaw: 0, duration: 1, method: "linear" });
  expect(sent.map(({ method }) => method)).toEqual(["setTarget", "setTarget", "goto"]);
  expect(yaws()).toEqual([1, 1000, 0]);
});

test("a move may take twice its duration and 5 s more, as on a busy machine", async () => {
  let refusal: unknown;
  robot.goto({ bodyYaw: 0, duration: 8, method: "linear" }).catch((error) => {
    refusal = error;
  });
  await clock.advanceAsync(20_999);
  expect(refusal).toBeUndefined();
  await clock.advanceAsync(1);
  expect(refusal).toMatchObject({ code: "deadline-passed" });
});

test("a target that is merged keeps what a newer one leaves out", async () => {
  void robot.setTarget(targetAt(1), "with-state");
  void robot.setTarget({ antennas: [0.1, 0.2] }, "with-state");
  void robot.setTarget(targetAt(2), "with-state");
  await clock.advanceAsync(INTERVAL_MS);
  expect(sent[1]?.args[0]).toMatchObject({ antennas: [0.1, 0.2], bodyYaw: 2 });
});

test("a target that is to be answered at once is, also when it is merged with others", async () => {
  void robot.setTarget(targetAt(1), "with-state");
  void robot.setTarget(targetAt(2), "with-state");
  void robot.setTarget(targetAt(3));
  void robot.setTarget(targetAt(4), "with-state");
  await clock.advanceAsync(INTERVAL_MS);
  expect(sent.map(({ isAnsweredWithState = false }) => isAnsweredWithState)).toEqual([true, false]);
});

test("when the process is lost, its targets reject, and the next process gets the next one", async () => {
  const answers = streamTargets(MAX_UNANSWERED + 1);
  rpc.disconnect("The robot process has ended.");
  for (const settled of await answers)
    expect(settled).toMatchObject({ status: "rejected", reason: { code: "robot-not-ready" } });
  const lost = sent.splice(0);
  rpc.connect(post);
  void robot.setTarget(targetAt(0), "with-state");
  clock.advance(INTERVAL_MS);
  expect(yaws()).toEqual([0]);
  // A state that the lost process had sent answers nothing of the new one.
  answer(...lost);
  expect(sent).toHaveLength(1);
});

test("when no state comes, targets reject after 5 s, and the one that waits is sent", async () => {
  const answers = streamTargets(MAX_UNANSWERED + 1);
  await clock.advanceAsync(5000);
  expect(yaws()).toHaveLength(MAX_UNANSWERED + 1);
  answer(...sent.slice(-1));
  const settled = await answers;
  expect(settled.at(-1)).toMatchObject({ status: "fulfilled" });
  for (const late of settled.slice(0, -1)) expect(late).toMatchObject({ reason: { code: "deadline-passed" } });
});
