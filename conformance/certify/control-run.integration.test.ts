import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { startAssistant } from "../catalogue/testing/run-assistant.ts";
import { copyAppWithChanges, MUTANTS } from "../testing/mutants.ts";

test("an app without a page that violates a requirement is not conformant: the control app without one passes it", async () => {
  const mutant = MUTANTS["LIFE-008-exits-with-0"];
  if (mutant === undefined) throw new Error("there is no such app");
  const folder = temporaryFolder("robot-control-run-");
  const app = await copyAppWithChanges(mutant.app, mutant.changes, folder);
  const out = join(folder, "out");
  const certifying = startAssistant(["certify", app, "--only", "LIFE-008", "--out", out], process.env);
  expect({ code: await certifying.exit, printed: certifying.out() }).toMatchObject({ code: 1 });
  const { verdict, results } = JSON.parse(readFileSync(join(out, "verdict.json"), "utf8"));
  const judged = results.find(({ id }: { id: string }) => id === "LIFE-008");
  expect([verdict, judged.status, judged.reason]).toEqual([
    "not-conformant",
    "fail",
    "The control app hello_robot passes it.",
  ]);
});
