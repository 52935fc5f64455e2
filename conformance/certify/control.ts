import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../runner/package-folder.ts";
import { freePort } from "../runner/ports.ts";
import { type GatherOptions, gather } from "./gather.ts";
import type { Judged } from "./judge.ts";

/** An app that is known to meet every requirement. */
export const CONTROL = "hello_robot";
const CONTROL_PORT = "8042";

/** A copy of the control app whose page is on a port that nobody else uses. */
export async function controlApp(into: string): Promise<string> {
  const folder = join(into, CONTROL);
  await cp(join(PACKAGE_FOLDER, "fixtures/apps", CONTROL), folder, { recursive: true });
  const main = join(folder, CONTROL, "main.py");
  const port = String(await freePort());
  await writeFile(main, (await readFile(main, "utf8")).replace(CONTROL_PORT, port));
  return folder;
}

/**
 * Has the control app run through what an app failed: what it fails as well is an error of the harness, the daemon or
 * the machine, never the app's.
 * @throws HarnessError when not even the control app can be installed; the host's signal's reason
 */
export async function heldAgainstControl(failed: readonly Judged[], options: GatherOptions): Promise<Judged[]> {
  const folder = await controlApp(options.into);
  const control = await gather(
    failed.map(({ requirement }) => requirement),
    { ...options, folder, into: join(options.into, "run") },
  );
  return failed.map((each, index) => {
    const against = control.judged[index]?.judgement;
    if (against?.status === "pass") {
      return { ...each, judgement: { ...each.judgement, reason: `The control app ${CONTROL} passes it.` } };
    }
    const why = against?.findings[0]?.message ?? against?.reason ?? "it was not run";
    const reason = `The control app ${CONTROL} fails it as well, so this says nothing about the app: ${why}`;
    return { ...each, observed: [], judgement: { ...each.judgement, status: "error", findings: [], reason } };
  });
}
