import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseInvocation } from "../../daemon/command-line/options.ts";
import { GRACE_PERIOD } from "./limits.ts";

test("an app has as long to end in a certification and in its author's tests as the daemon gives it", () => {
  const daemon = parseInvocation(["--sim"], { HOME: "/home/ada" }, "1.2.3", () => {});
  expect(daemon).toMatchObject({ options: { gracePeriod: GRACE_PERIOD } });
  const sdk = readFileSync("sdk/src/robot_sdk/testing/app_under_test.py", "utf8");
  expect(Number(/^GRACE_PERIOD_S = (.+)$/m.exec(sdk)?.[1])).toBe(GRACE_PERIOD);
});
