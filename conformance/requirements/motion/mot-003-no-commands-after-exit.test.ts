import { describe, expect, test } from "vitest";
import type { AppRun, Command } from "../../evidence/app-run.ts";
import { sdkMessage } from "../testing/good-evidence.ts";
import { judged, run } from "../testing/judged.ts";

const EXITED_AT = 9;
const TARGET = '{"type":"set_full_target","antennas":[0.1,0]}';

const statusOf = (commands: Command[], changes: Partial<AppRun> = {}) => {
  const harnessDelays = [{ t: EXITED_AT + 0.35, seconds: 0.3 }];
  const appRuns = [run({ exitedAt: EXITED_AT, harnessDelays, connectionEnds: {}, commands, ...changes })];
  return judged("MOT-003", { appRuns }).status;
};

/** One command every 20 ms for half a second after the exit, as the harness reads them. */
const halfSecond = (changes: Partial<Command>): Command[] =>
  Array.from({ length: 25 }, (_, at) => sdkMessage(EXITED_AT + 0.02 * (at + 1), TARGET, changes));

describe.each<[string, Partial<Command>]>([
  ["a request", { pid: null, connection: null, kind: "/api/move/set_target" }],
  ["a client without a process id", { pid: null, connection: 2, isPublic: true }],
  ["another process", { pid: 2, connection: 2 }],
])("the last command of %s", (_, changes) => {
  const last = [sdkMessage(EXITED_AT + 0.3, TARGET, changes)];

  test("was sent before the exit when the harness was late since", () => {
    expect(statusOf(last)).toBe("pass");
  });

  test("was sent after the exit when the harness was not late since", () => {
    expect(statusOf(last, { harnessDelays: [] })).toBe("fail");
    expect(statusOf(last, { harnessDelays: [{ t: EXITED_AT - 0.1, seconds: 0.5 }] })).toBe("fail");
  });

  test("was sent after the exit when it is one of half a second, also by a harness that was late", () => {
    expect(statusOf(halfSecond(changes))).toBe("fail");
  });
});

describe("commands of the public SDK, which gives no process id,", () => {
  const command = sdkMessage(EXITED_AT + 0.3, TARGET, { pid: null, connection: 2, isPublic: true });

  test("are the app's own when its connection is closed right after them", () => {
    expect(statusOf([command], { harnessDelays: [], connectionEnds: { 2: command.t + 0.05 } })).toBe("pass");
  });

  test("are another process's when the connection stays open", () => {
    expect(statusOf([command], { harnessDelays: [], connectionEnds: { 2: command.t + 0.5 } })).toBe("fail");
    expect(statusOf([command], { harnessDelays: [], connectionEnds: {} })).toBe("fail");
  });
});
