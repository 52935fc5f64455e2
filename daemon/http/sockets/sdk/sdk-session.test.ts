import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { SharedBudget } from "../../../../common/bounded.ts";
import { ManualClock } from "../../../../common/time/manual-clock.ts";
import { DEFAULT_DIALECT, REACHY_MINI } from "../../../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { Scope } from "../../connections/scope.ts";
import { SdkSession, type SettingOwners } from "./sdk-session.ts";

const sessionWith = (robot: Robot, more: Partial<ConstructorParameters<typeof SdkSession>[0]>) =>
  new SdkSession({
    dialect: DEFAULT_DIALECT,
    sender: () => "The app",
    versions: { client: "robot-sdk/0", daemon: "0" },
    robot,
    owners: new Map(),
    recordings: new SharedBudget({ pieces: 100, bytes: 1000 }),
    sendText: () => undefined,
    clock: new ManualClock(),
    goToSleep: async () => "finished",
    scope: new Scope(),
    send: () => undefined,
    onRefused: () => undefined,
    onTooManyTargets: () => undefined,
    ...more,
  });

function start(setTarget: Robot["setTarget"]) {
  const send = vi.fn();
  const session = sessionWith({ setTarget } as Robot, { send });
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

const DEFAULTS = { headOffset: null, automaticBodyYaw: true };
const setting = fc.oneof(
  fc
    .double({ min: -1, max: 1, noNaN: true })
    .map((yaw) => ({ type: "set_speech_offsets", offsets: [0, 0, 0, 0, 0, yaw] })),
  fc.boolean().map((enabled) => ({ type: "set_wobbling", enabled })),
  fc.boolean().map((enabled) => ({ type: "set_automatic_body_yaw", enabled })),
);
const client = fc.nat({ max: 2 });
const step = fc.oneof(fc.record({ client, message: setting }), fc.record({ client, message: fc.constant("leaves") }));

test("what clients set for the robot is undone when the last one that changed it has gone, and not before", () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let now: Record<string, unknown> = { ...DEFAULTS };
      const set = (name: string) => async (value: unknown) => {
        now = { ...now, [name]: value };
      };
      const robot = { setHeadOffset: set("headOffset"), setAutomaticBodyYaw: set("automaticBodyYaw") };
      const owners: SettingOwners = new Map();
      const open = () => {
        const scope = new Scope();
        return { scope, session: sessionWith(robot as unknown as Robot, { dialect: REACHY_MINI, owners, scope }) };
      };
      const clients = [open(), open(), open()];
      for (const { client: at, message } of steps) {
        const { session, scope } = clients[at] ?? open();
        const before = JSON.stringify(now);
        if (message !== "leaves") {
          void session.receive(JSON.stringify(message));
          continue;
        }
        const owned = [...owners].filter(([, owner]) => owner === session).map(([name]) => name);
        scope.close();
        clients[at] = open();
        const kept = Object.entries(JSON.parse(before)).filter(([name]) => !owned.includes(name as "headOffset"));
        expect(now).toEqual({ ...DEFAULTS, ...Object.fromEntries(kept) });
      }
      for (const { scope } of clients) scope.close();
      expect(now).toEqual(DEFAULTS);
    }),
  );
});

test("recordings of all clients together are bounded, a full one says so, and all is given back", () => {
  const recordings = new SharedBudget({ pieces: 5, bytes: 1000 });
  const texts: string[] = [];
  const send = vi.fn();
  const open = () => {
    const scope = new Scope();
    return {
      scope,
      session: sessionWith({} as Robot, { recordings, scope, send, sendText: (text) => texts.push(text) }),
    };
  };
  const [one, other] = [open(), open()];
  const receive = ({ session }: typeof one, message: object) => void session.receive(JSON.stringify(message));
  for (const each of [one, other]) receive(each, { type: "start_recording" });
  for (let time = 0; time < 4; time += 1) receive(one, { type: "append_record", record: { time } });
  for (let time = 0; time < 4; time += 1) receive(other, { type: "append_record", record: { time } });
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ type: "error", code: "too-many-requests" }));
  receive(other, { type: "stop_recording" });
  expect(JSON.parse(texts[0] ?? "")).toEqual({ type: "recorded_data", data: [{ time: 0 }] });
  receive(one, { type: "start_recording" });
  expect(recordings.bytes).toBe(0);
  receive(one, { type: "append_record", record: { time: 0 } });
  one.scope.close();
  expect(recordings.bytes).toBe(0);
});
