import { describe, expect, test } from "vitest";
import type { AppRun, Command } from "../../evidence/app-run.ts";
import { judged, run } from "../testing/judged.ts";

const sent = (text: string, t = 2): Command => ({
  ...{ t, pid: 1, connection: 1, isPublic: false },
  ...{ kind: "set_full_target", text },
});

describe("targets", () => {
  const withCommands = (...commands: Command[]) => judged("MOT-001", { appRuns: [run({ commands })] });

  test("NaN is a violation that names the field", () => {
    const { status, findings } = withCommands(sent('{"type":"set_full_target","antennas":[NaN,0]}'));
    expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining("antennas")]);
  });

  test("NaN is a violation in a field that may be null, too", () => {
    const socket = sent('{"type":"set_full_target","antennas":[0,0],"body_yaw":NaN}');
    const request = { ...sent('{"target_body_yaw":NaN}'), kind: "/api/move/set_target", pid: null };
    for (const command of [socket, request])
      expect(withCommands(command).findings[0]?.message).toMatch(/beyond the robot's limits.*body_yaw/);
  });

  test("REST moves are judged as socket moves are", () => {
    const goto = (z: number) => ({
      ...sent(`{"head_pose":{"z":${z}},"duration":1}`),
      kind: "/api/move/goto",
      pid: null,
    });
    expect(withCommands(goto(0.01)).status).toBe("pass");
    expect(withCommands(goto(0.01), goto(0.3)).findings[0]?.message).toContain("beyond the robot's limits");
  });

  test.each([
    ["/api/move/set_target", '{"target_antennas":[4.5,0]}'],
    ["/api/move/ws/set_target", '{"target_antennas":[4.5,0]}'],
    ["/api/move/goto", '{"head_pose":{"m":[1,0,0,0,0,1,0,0,0,0,1,0.3,0,0,0,1]}}'],
  ])("a target over %s is read as the daemon reads it: %s", (kind, text) => {
    expect(withCommands({ ...sent(text), kind, pid: null }).findings[0]?.message).toContain(
      "beyond the robot's limits",
    );
  });

  test("joints that belong to no head pose are a violation", () => {
    const { status, findings } = withCommands(
      sent('{"type":"set_head_joints","joints":[0,1.4,1.4,1.4,-1.4,-1.4,-1.4]}'),
    );
    expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining("belong to no head pose")]);
  });

  const turned = '{"type":"set_full_target","head":[-0.17,-0.985,0,0, 0.985,-0.17,0,0, 0,0,1,0, 0,0,0,1]}';
  const automatic = (enabled: boolean) => ({
    ...sent(`{"type":"set_automatic_body_yaw","enabled":${enabled}}`),
    kind: "set_automatic_body_yaw",
  });

  test("the head may turn farther than it can from the body as long as the body follows it", () => {
    expect(withCommands(sent(turned)).status).toBe("pass");
    expect(withCommands(automatic(false), sent(turned)).findings[0]?.message).toContain("beyond the robot's limits");
    expect(withCommands(automatic(false), automatic(true), sent(turned)).status).toBe("pass");
    // The body has turned, and stays there.
    expect(withCommands(sent(turned), automatic(false), sent(turned)).status).toBe("pass");
  });

  test("clients of the public SDK are judged by their protocol", () => {
    const long = sent('{"type":"task","uuid":"1","req":{"antennas":[0.1,0.1],"duration":600}}');
    expect(withCommands({ ...long, kind: "task" }).status).toBe("fail");
    expect(withCommands({ ...long, kind: "task", isPublic: true }).status).toBe("pass");
    // Its body yaw yields to the head.
    const yaw = turned.replace("}", ',"body_yaw":0}');
    expect(withCommands(sent(yaw)).status).toBe("fail");
    expect(withCommands({ ...sent(yaw), isPublic: true }).status).toBe("pass");
  });

  test.each([
    [0.1, "pass"],
    [3, "fail"],
  ])("an offset of the head by %f rad is judged: %s", (roll, status) => {
    const text = `{"type":"set_speech_offsets","offsets":[0,0,0,${roll},0,0]}`;
    expect(withCommands({ ...sent(text), kind: "set_speech_offsets", isPublic: true }).status).toBe(status);
  });

  test("a recorded move is judged by what the daemon reports while it plays", () => {
    const kind = "/api/move/play/recorded-move-dataset/my-app/nod";
    const runs = (clippedMoves: AppRun["clippedMoves"]) => [
      run({ commands: [{ ...sent("", 3), kind }], clippedMoves }),
    ];
    expect(judged("MOT-001", { appRuns: runs([]) }).status).toBe("pass");
    const { status, findings } = judged("MOT-001", {
      appRuns: runs([{ t: 4, message: "right_antenna was asked for 9." }]),
    });
    expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining("right_antenna")]);
  });

  test("targets in other test runs alone are observations, too", () => {
    const restarted = run({
      testRun: "restart-cycles",
      commands: [sent('{"type":"set_full_target","antennas":[0,0]}')],
    });
    const { status, observations } = judged("MOT-001", { appRuns: [run({}), restarted] });
    expect([status, observations.map(({ testRun }) => testRun)]).toEqual(["pass", ["restart-cycles"]]);
  });

  test("a robot that moves without a command that was seen is inconclusive", () => {
    const still = Array.from({ length: 9 }, () => 0);
    const motion = { t: [0.5, 2, 4], measured: [still, still, still], sent: [null, still.map(() => 1), still] };
    const testRuns = [{ id: "first-run", title: "", duration: 9, events: [], log: [], motion }];
    expect(judged("MOT-001", { testRuns })).toMatchObject({ status: "inconclusive" });
    expect(judged("MOT-001", {})).toMatchObject({ status: "not-applicable" });
  });
});
