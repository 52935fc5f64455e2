import { networkInterfaces } from "node:os";
import type { Invocation } from "../command-line/invocation.ts";
import { accessToken } from "../network/access-token.ts";
import { networkUrl } from "../network/addresses.ts";
import { signInLink } from "../start/greeting.ts";
import type { CommandContext } from "./command-context.ts";

type LinkInvocation = Extract<Invocation, { command: "link" }>;

/** `robot-daemon link`: shows how browsers sign in to a daemon on the network. */
export async function showLink(
  { dataDir, host, port, json }: LinkInvocation,
  { print }: CommandContext,
): Promise<void> {
  const url = networkUrl(host, port, networkInterfaces());
  const token = await accessToken(dataDir);
  print(json ? `${JSON.stringify({ url, token, link: `${url}/?token=${token}` })}\n` : signInLink(url, token));
}
