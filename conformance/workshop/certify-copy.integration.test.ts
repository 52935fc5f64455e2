import { existsSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pid } from "node:process";
import { expect, test } from "vitest";
import { ProcessTable } from "../../common/machine/process-table.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { systemClock } from "../../common/time/clock.ts";
import { certifyCopy } from "./certify-copy.ts";

const certify = certifyCopy({
  version: "0.0.0",
  cache: resolve("artifacts/certification"),
  env: process.env,
  clock: systemClock,
  // Other tests would come first.
  yieldsProcessors: false,
});
const signal = new AbortController().signal;

/** A copy of an app that the contract's main block is missing in. */
async function appWithoutMainBlock() {
  const place = temporaryFolder("robot-certify-copy-");
  const folder = join(place, "steady_app");
  await cp("fixtures/apps/steady_app", folder, { recursive: true });
  const main = join(folder, "steady_app/main.py");
  await writeFile(main, readFileSync(main, "utf8").split("if __name__")[0] ?? "");
  return { folder, out: join(place, "out") };
}

test("a requirement that is not met is named with its place, and the report is written", async () => {
  const { folder, out } = await appWithoutMainBlock();
  const steps: number[] = [];
  const judged = await certify({ folder, tier: "short", seed: 1, out }, ({ done }) => steps.push(done), signal);
  expect(judged).toMatchObject({
    verdict: "not-conformant",
    problems: expect.arrayContaining([expect.objectContaining({ id: "LIFE-001", status: "fail" })]),
  });
  expect(judged.passed).toContain("PKG-003");
  expect(steps.at(-1)).toBeGreaterThan(0);
  expect(readFileSync(join(out, "report.html"), "utf8")).toContain("<html");
});

test("a certification that is cancelled leaves no process and no report", async () => {
  const { folder, out } = await appWithoutMainBlock();
  const end = new AbortController();
  const before = ProcessTable.readSync().childrenOf(pid);
  const certified = certify(
    { folder, tier: "whole", seed: 1, out },
    () => end.abort(new Error("cancelled")),
    end.signal,
  );
  await expect(certified).rejects.toThrow("cancelled");
  expect(ProcessTable.readSync().childrenOf(pid)).toHaveLength(before.length);
  expect(existsSync(join(out, "report.html"))).toBe(false);
});
