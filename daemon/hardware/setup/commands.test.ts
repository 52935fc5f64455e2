import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalLink, type LocalLink } from "../../../sim/link/local-link.ts";
import { openTcpOutlet } from "../../../sim/link/tcp-outlet.ts";
import { serve } from "../../../sim/serve.ts";
import { systemClock } from "../../clock.ts";
import { type Assembly, runScan, runSetup } from "./commands.ts";

const STEWART_3 = 3;

let local: LocalLink;
let close: () => Promise<void>;
let assembly: Assembly;
let said: string[];

beforeEach(async () => {
  local = await createLocalLink({ seed: 1, now: () => performance.now() });
  const outlet = await openTcpOutlet(0);
  close = await serve({ local, outlet, recorder: undefined, tell: () => undefined });
  said = [];
  const say = (text: string) => said.push(text);
  assembly = { link: outlet.address, clock: systemClock, say, confirm: null };
});

afterEach(() => close());

const offset = () => local.robot.servos.servos[STEWART_3]?.memory.get("homingOffset");

test("a servo is written only after somebody agreed, and a scan sees the difference", async () => {
  local.robot.servos.servos[STEWART_3]?.memory.set("homingOffset", 7);
  expect(await runScan(assembly)).toBe(false);
  expect(said.join("\n")).toMatch(/^13 .*homing offset 7 instead of 1024$/m);

  await expect(runSetup(assembly, "stewart_3", 13)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("--yes"),
  });
  const questions: string[] = [];
  const asked = (agrees: boolean): Assembly => ({
    ...assembly,
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
  expect(said.at(-1)).toMatch(/^Done\. stewart_3 stands at -?\d+\.\d degrees/);
  expect(await runScan(assembly)).toBe(true);
}, 60_000);
