import { networkInterfaces } from "node:os";
import { accessToken } from "../access-token.ts";
import { networkUrl } from "../addresses.ts";
import { signInLink } from "../greeting.ts";
import type { Invocation } from "../options.ts";
import type { Machine } from "./machine.ts";

type LinkInvocation = Extract<Invocation, { command: "link" }>;

/** `robot-daemon link`: how browsers sign in to a daemon on the network. */
export async function showLink({ dataDir, host, port }: LinkInvocation, { print }: Machine): Promise<void> {
  print(signInLink(networkUrl(host, port, networkInterfaces()), await accessToken(dataDir)));
}
