import { tmpdir } from "node:os";
import { cleanEnvironment } from "../../runner/app/install-app.ts";
import type { CertifyContext } from "./certify-app.ts";
import { removeLeftovers } from "./remove-leftovers.ts";

/**
 * Makes the clean Python environment, or updates it, before several certifications use it at the same time. Compiled: each
 * of them would compile its copy otherwise, and an app that is imported must not write. Removes what killed processes left.
 * @throws WorkbenchError as `cleanEnvironment` does
 */
export async function prepareEnvironment(context: CertifyContext): Promise<void> {
  const { cache, env, clock, signal, store } = context;
  await removeLeftovers(tmpdir(), store.unfinished, clock.unixTime());
  const host = { env: { ...env, UV_COMPILE_BYTECODE: "1" }, now: clock.unixTime, signal };
  await cleanEnvironment(cache, host, (_name, work) => work());
}
