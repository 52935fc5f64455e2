import { boundedResponse } from "../../common/bounded-response.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { ServerAddress } from "./server-address.ts";
import { type SettingNames, TERMINAL_SETTINGS } from "./setting-names.ts";

/** Bytes of the status of a daemon. */
const MAX_STATUS_BYTES = 100_000;

/** Whether the answer to a request is one of the robot daemon: its status, or that it asks for its token. */
export function isDaemonAnswer(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { robot_name, code } = body as { robot_name?: unknown; code?: unknown };
  return robot_name !== undefined || code === "token-required";
}

/** The error for an address where the robot daemon answers instead of a model server; undefined for any other server. */
export async function daemonError(
  { settings = TERMINAL_SETTINGS }: { settings?: SettingNames },
  { shown }: ServerAddress,
  signal: AbortSignal,
): Promise<WorkbenchError | undefined> {
  try {
    const answer = boundedResponse(await fetch(new URL("/api/daemon/status", shown), { signal }), MAX_STATUS_BYTES);
    if (!isDaemonAnswer(await answer.json())) return undefined;
  } catch {
    return undefined;
  }
  return new WorkbenchError(
    "model-unreachable",
    `${shown} is the robot daemon, not a model server: both use port 8000 by default. Start the model ` +
      `server on another port, for example 8001, and name http://127.0.0.1:8001 with ${settings.server}.`,
  );
}
