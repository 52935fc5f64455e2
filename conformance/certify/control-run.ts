import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { digestOf } from "../../daemon/apps/install/fetch/digest.ts";
import { DEFAULT_DIALECT } from "../../robot/dialects/dialects.ts";
import { freePort } from "../runner/ports.ts";
import type { TestRun } from "../verdict/verdict.ts";
import { attemptOf, renameTestRuns } from "./attempts.ts";
import { type CollectOptions, collectEvidence } from "./collect-evidence.ts";
import { type Judged, withViolatedTestRuns } from "./judge.ts";

/** An app that is known to meet every requirement. */
export const CONTROL_APP = "hello_robot";
const CONTROL_PORT = "8042";
const NAME = "control";

const CONTROL_FOLDER = join(PACKAGE_FOLDER, "fixtures/apps", CONTROL_APP);

/** The digest of the control app's files. */
export const digestOfControlApp = (): Promise<string> => digestOf(CONTROL_FOLDER);

/** Copies the control app and gives its page a port that is free. Returns the folder. */
export async function copyControlApp(into: string): Promise<string> {
  const folder = join(into, CONTROL_APP);
  await cp(CONTROL_FOLDER, folder, { recursive: true });
  const main = join(folder, CONTROL_APP, "main.py");
  const port = String(await freePort());
  await writeFile(main, (await readFile(main, "utf8")).replace(CONTROL_PORT, port));
  return folder;
}

/**
 * Executes the test runs of violated requirements with the control app. A violation that the control app shows too, or that it
 * does not pass for another reason, is an error of the harness, the daemon or the machine.
 * @throws HarnessError when not even the control app can be installed; the host's signal's reason
 */
export async function compareWithControlRun(
  failed: readonly Judged[],
  options: Omit<CollectOptions, "isDecided">,
): Promise<{ judged: Judged[]; testRuns: TestRun[] }> {
  const folder = await copyControlApp(options.into);
  const progress = { ...options.progress, reportViolated: () => {} };
  const { evidence, judged: control } = await collectEvidence(failed.map(withViolatedTestRuns), {
    ...options,
    progress,
    folder,
    dialect: DEFAULT_DIALECT.id,
    into: join(options.into, "run"),
  });
  const judged = failed.map((each, index): Judged => {
    const other = control[index]?.judgement;
    const attempts = [...each.judgement.attempts, ...(other === undefined ? [] : [attemptOf(NAME, other)])];
    if (other?.status === "pass") {
      const reason = `The control app ${CONTROL_APP} passes it.`;
      return { ...each, judgement: { ...each.judgement, attempts, reason } };
    }
    const why = other?.findings[0]?.message ?? other?.reason ?? "it was not run";
    const reason = `The control app ${CONTROL_APP} does not pass it either, so this says nothing about the app: ${why}`;
    return {
      ...each,
      violations: [],
      judgement: { ...each.judgement, attempts, status: "error", findings: [], reason },
    };
  });
  return { judged, testRuns: renameTestRuns(NAME, `control app ${CONTROL_APP}`, evidence?.testRuns ?? []) };
}
