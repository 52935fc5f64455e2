import { DaemonClient } from "../../robot/rest/daemon-client.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { AppInvocation } from "../command-line/app-commands.ts";
import { findDataFolderHolder } from "../data-folder/data-folder.ts";
import { tokenIn } from "../network/access-token.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * The daemon at an address, or the one that uses the data folder.
 * @throws WorkbenchError `daemon-unreachable` when no daemon uses the data folder
 */
export async function findDaemon({ url, dataDir }: AppInvocation, context: CommandContext): Promise<DaemonClient> {
  const { env, interrupted: signal, commandFor } = context;
  // The token of a data folder is for its daemon alone.
  if (url !== null) return new DaemonClient({ url, token: env.ROBOT_DAEMON_TOKEN ?? "", signal });
  const holder = await findDataFolderHolder(dataDir);
  if (holder?.url) return new DaemonClient({ url: holder.url, token: await tokenIn(dataDir), signal });
  if (holder?.doing === "daemon")
    throw new WorkbenchError("daemon-unreachable", `The robot-daemon of process ${holder.pid} is starting; try again.`);
  throw new WorkbenchError(
    "daemon-unreachable",
    `No robot-daemon uses the data folder ${dataDir}: start one with ${commandFor("robot-daemon")} --sim, or name another with --data-dir or --url.`,
  );
}
