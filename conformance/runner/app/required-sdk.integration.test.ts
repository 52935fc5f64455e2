import { resolve } from "node:path";
import { expect, test } from "vitest";
import { cleanEnvironment } from "./clean-environment.ts";
import { hasMatchingVersion } from "./required-sdk.ts";

test("an environment is used for an app whose versions of the SDK it has", { timeout: 300_000 }, async () => {
  const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
  const venv = await cleanEnvironment(resolve("artifacts/certification"), host, (_name, work) => work());
  const has = (distribution: string, required: string) => hasMatchingVersion(venv, distribution, required, host);
  expect(await has("robot-sdk", "")).toBe(true);
  expect(await has("robot-sdk", ">=0.0.1,<1000")).toBe(true);
  expect(await has("robot-sdk", ">=1000")).toBe(false);
  expect(await has("robot-sdk", "is no version")).toBe(false);
  expect(await has("reachy-mini", "")).toBe(false);
});
