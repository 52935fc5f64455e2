import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../../common/time/clock.ts";
import { createLocalLink, type LocalLink } from "../../../../sim/link/local-link.ts";
import { openTcpTransport } from "../../../../sim/link/transport/tcp-transport.ts";
import { serve } from "../../../../sim/serve.ts";
import { runScan, runSetup, type SetupContext } from "./commands.ts";

const STEWART_3 = 3;

let local: LocalLink;
let close: () => Promise<void>;
let context: SetupContext;
let printed: string[];

beforeEach(async () => {
  local = await createLocalLink({ seed: 1, now: () => performance.now() });
  const transport = await openTcpTransport(0);
  close = await serve({ local, transport, recorder: undefined, report: () => undefined });
  printed = [];
  const print = (text: string) => printed.push(text);
  context = { link: transport.address, clock: systemClock, print, report: () => {}, confirm: null };
});

afterEach(() => close());

const offset = () => local.robot.servos.servos[STEWART_3]?.controlTable.get("homingOffset");

test("a servo is written only after a person agreed, and a scan shows the difference", async () => {
  local.robot.servos.servos[STEWART_3]?.controlTable.set("homingOffset", 7);
  expect(await runScan(context)).toBe(false);
  expect(printed.join("\n")).toMatch(/^13 .*homing offset 7 instead of 1024$/m);
  expect(await runScan(context, true)).toBe(false);
  const { servos, missing } = JSON.parse(printed.at(-1) ?? "");
  const wrong = servos.filter(({ problem }: { problem: string | null }) => problem !== null);
  expect(wrong).toMatchObject([{ id: 13, joint: "stewart_3", problem: "homing offset 7 instead of 1024" }]);
  expect(missing).toEqual([]);

  await expect(runSetup(context, "stewart_3", 13)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("--yes"),
  });
  const questions: string[] = [];
  const asked = (agrees: boolean): SetupContext => ({
    ...context,
    confirm: async (question) => {
      questions.push(question);
      return agrees;
    },
  });
  expect(await runSetup(asked(false), "stewart_3", 13)).toBe(false);
  expect(offset()).toBe(7);
  expect(await runSetup(asked(true), "stewart_3", 13)).toBe(true);
  expect(offset()).toBe(1024);
  expect(questions).toEqual(["Write this into servo 13?", "Write this into servo 13?"]);
  expect(printed.at(-1)).toMatch(/^Done\. stewart_3 stands at -?\d+\.\d degrees/);
  expect(await runScan(context)).toBe(true);

  expect(await runSetup(context, "stewart_3", 13, true)).toBe(true);
  expect(JSON.parse(printed.at(-1) ?? "")).toEqual({
    joint: "stewart_3",
    id: 13,
    previous_id: 13,
    changes: [],
    angle: null,
  });
  local.robot.servos.servos[STEWART_3]?.controlTable.set("homingOffset", 7);
  const before = printed.length;
  expect(await runSetup(asked(true), "stewart_3", 13, true)).toBe(true);
  expect(printed).toHaveLength(before + 1);
  expect(JSON.parse(printed.at(-1) ?? "")).toMatchObject({
    changes: [{ name: "homingOffset", actual: 7, expected: 1024 }],
    angle: expect.any(Number),
  });
});
