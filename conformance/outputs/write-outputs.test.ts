import { generateKeyPairSync } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { ReplayScript } from "../test-runs/random-user/script.ts";
import { exampleVerdict } from "../testing/example-verdict.ts";
import type { Outcome } from "../verdict/verdict.ts";
import { writeOutputs } from "./write-outputs.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const CERTIFICATE = ["badge.json", "badge.svg", "predicate.json", "verdict.intoto.jsonl"];
const ALWAYS = ["junit.xml", "report.html", "verdict.json", "verdict.sarif"];

async function filesOf(
  outcomes: Record<string, Outcome>,
  only: string[] | null = null,
  replay: ReplayScript | null = null,
): Promise<string[]> {
  const folder = temporaryFolder("robot-outputs-");
  for (const name of [...CERTIFICATE, "replay.json"]) writeFileSync(join(folder, name), "of an earlier certification");
  await writeOutputs({ ...exampleVerdict(outcomes), only, replay }, folder, privateKey);
  return readdirSync(folder).sort();
}

test.each<[string, Outcome]>([
  ["a conformant verdict", "pass"],
  ["a verdict that is not conformant", "fail"],
])("%s gets a badge and a signature", async (_, outcome) => {
  expect(await filesOf({ "LIFE-003": outcome })).toEqual([...CERTIFICATE, ...ALWAYS].sort());
});

test.each<[string, Outcome]>([
  ["an inconclusive verdict", "inconclusive"],
  ["a flaky one", "flaky"],
  ["an error of the harness", "error"],
])("%s gets neither, and loses those of an earlier certification", async (_, outcome) => {
  expect(await filesOf({ "LIFE-001": "pass", "LIFE-003": outcome })).toEqual(ALWAYS);
});

test("a part of the requirements gets neither", async () => {
  expect(await filesOf({ "LIFE-003": "pass" }, ["LIFE-003"])).toEqual(ALWAYS);
});

test("what the random user did when the app failed is written beside them", async () => {
  const script = {
    format: "robot-app-replay",
    formatVersion: 1,
    seed: 7,
    rounds: [{ steps: [], end: "stop" }],
  } as const;
  const files = await filesOf({ "RES-007": "warn" }, ["RES-007"], { ...script, rounds: [{ steps: [], end: "stop" }] });
  expect(files).toEqual([...ALWAYS, "replay.json"].sort());
});
