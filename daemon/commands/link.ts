import { networkInterfaces } from "node:os";
import { DEFAULT_PORT, type Invocation } from "../command-line/invocation.ts";
import { findDataFolderHolder } from "../data-folder/data-folder.ts";
import { accessToken } from "../network/access-token.ts";
import { networkUrl } from "../network/addresses.ts";
import type { CommandContext } from "./command-context.ts";
import { signInLink } from "./greeting.ts";

type LinkInvocation = Extract<Invocation, { command: "link" }>;

/** `robot-daemon link`: shows how browsers sign in to a daemon on the network: the one that uses the data folder, if one does. */
export async function showLink(
  { dataDir, host, port, json }: LinkInvocation,
  { print, report }: CommandContext,
): Promise<void> {
  const holder = port === null ? await findDataFolderHolder(dataDir) : null;
  const used = port ?? (holder?.url ? Number(new URL(holder.url).port || 80) : DEFAULT_PORT);
  const url = networkUrl(host, used, networkInterfaces());
  const token = await accessToken(dataDir);
  if (holder?.url && !(await answers(url)))
    report(
      `The robot-daemon at ${holder.url} does not answer at ${url}: start it with --host 0.0.0.0 for this link.\n`,
    );
  print(json ? `${JSON.stringify({ url, token, link: `${url}/?token=${token}` })}\n` : signInLink(url, token));
}

/** Milliseconds for a daemon of this machine to answer. */
const PROBE_MS = 2000;

/** Whether anything answers at an address, a refusal included. */
const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    () => true,
    () => false,
  );
