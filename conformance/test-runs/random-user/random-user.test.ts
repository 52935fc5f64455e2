import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BRIDGED_OUTAGE } from "../limits.ts";
import { generateRounds, playAndShrink } from "./generate-rounds.ts";
import { describeRounds, LONGEST_OUTAGE_MS, type Round, readReplayScript } from "./script.ts";

test("a seed always gives the same script, and what is generated can be replayed", async () => {
  const scripts = await Promise.all(Array.from({ length: 100 }, (_, seed) => generateRounds(seed)));
  expect(await Promise.all(scripts.map((_, seed) => generateRounds(seed)))).toEqual(scripts);
  expect(new Set(scripts.map((rounds) => JSON.stringify(rounds))).size).toBeGreaterThan(90);
  for (const rounds of scripts) {
    expect(rounds.length).toBeGreaterThanOrEqual(2);
    expect(rounds[0]?.steps.length).toBeGreaterThan(0);
    const script = { format: "robot-app-replay", formatVersion: 1, seed: 7, rounds };
    expect(readReplayScript(JSON.stringify(script), "replay.json").rounds).toEqual(rounds);
  }
});

test("a script for an SDK that does not connect again has no outages", async () => {
  const scripts = await Promise.all(Array.from({ length: 100 }, (_, seed) => generateRounds(seed, false)));
  const steps = scripts.flat().flatMap((round) => round.steps);
  expect(steps.some((step) => step.do === "overheat")).toBe(true);
  expect(steps.some((step) => step.do === "outage")).toBe(false);
  expect(scripts.every(([first]) => (first?.steps.length ?? 0) > 0)).toBe(true);
});

test("the script of a seed is the first that is played", async () => {
  const played: (readonly Round[])[] = [];
  const result = await playAndShrink(7, async (rounds) => {
    played.push(rounds);
    return null;
  });
  expect(played).toEqual([await generateRounds(7)]);
  expect(result).toEqual({ rounds: played[0], problem: null, attempts: 1 });
});

test("a script that shows a problem becomes the shortest one that still shows it", async () => {
  // An app that fails when it is started a second time after an outage of 400 ms or more.
  const fails = (rounds: readonly Round[]) =>
    rounds.length > 1 && rounds.some(({ steps }) => steps.some((step) => step.do === "outage" && step.ms >= 400));
  let seed = 0;
  while (!fails(await generateRounds(seed))) seed += 1;
  const { rounds, problem, attempts } = await playAndShrink(seed, async (candidate) =>
    fails(candidate) ? "exited with code 1" : null,
  );
  expect(problem).toBe("exited with code 1");
  expect(attempts).toBeGreaterThan(1);
  expect(describeRounds(rounds)).toBe("start, stop; start, outage of 400 ms, stop");
});

test("a failure of the harness is neither a problem of the app nor a pass", async () => {
  let played = 0;
  const failing = playAndShrink(7, async () => {
    played += 1;
    throw new Error("the daemon answered with 500");
  });
  await expect(failing).rejects.toThrow("the daemon answered with 500");
  expect(played).toBe(1);
});

test("a failure of the harness while shorter scripts are played leaves the problem that was found", async () => {
  let played = 0;
  const { problem, attempts } = await playAndShrink(7, async () => {
    played += 1;
    if (played > 1) throw new Error("the daemon answered with 500");
    return "exited with code 1";
  });
  expect([problem, attempts]).toEqual(["exited with code 1", 2]);
});

test("the search for a shorter script ends at its limit, with the script that was found until then", async () => {
  const { rounds, problem } = await playAndShrink(7, async () => "is broken", { limitMs: 0 });
  expect([rounds.length > 0, problem]).toEqual([true, "is broken"]);
});

test.each([
  ["{", "replay.json"],
  ["{}", "name the replay.json that certify wrote"],
  ['{"format":"robot-app-replay","formatVersion":1,"seed":1,"rounds":[{"steps":[{"do":"dance"}],"end":"stop"}]}', "do"],
])("%s is refused as no script", (text, why) => {
  expect(() => readReplayScript(text, "replay.json")).toThrow(why);
});

test("the outages are those of the SDK's rule", () => {
  const [, seconds] =
    /^OUTAGE_S = ([\d.]+)$/m.exec(readFileSync("sdk/src/robot_sdk/connection/connection.py", "utf8")) ?? [];
  expect(BRIDGED_OUTAGE).toBe(Number(seconds));
  expect(LONGEST_OUTAGE_MS / 1000).toBeLessThan(BRIDGED_OUTAGE);
});

test("the example of docs/certifying.md is a script", () => {
  const [, example = ""] =
    /```json\n(\{\n {2}"format": "robot-app-replay".*?)```/s.exec(readFileSync("docs/certifying.md", "utf8")) ?? [];
  expect(readReplayScript(example, "docs/certifying.md").rounds).toHaveLength(2);
});
