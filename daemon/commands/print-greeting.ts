import { networkInterfaces } from "node:os";
import { workshopLink } from "../../robot/wire/workshop/access-secret.ts";
import type { DaemonOptions } from "../command-line/invocation.ts";
import { defaultDataDir } from "../command-line/options.ts";
import { tokenFile } from "../network/access-token.ts";
import { networkUrl } from "../network/addresses.ts";
import { greeting, signInHint, signInLink, workshopHint } from "../start/greeting.ts";
import type { CommandContext } from "./command-context.ts";

interface GreetingInput {
  options: DaemonOptions;
  context: CommandContext;
  /** Where programs of this machine reach the daemon. */
  url: string;
  port: number;
  token: string | null;
  /** The app that can be edited, and the secret that this takes. */
  workshop: { app: string; secret: string } | null;
  /** Whether the robot answers. */
  isConnected: boolean;
}

/** Prints where the daemon is reached, what to try, and how to sign in. */
export function printGreeting({ options, context, url, port, token, workshop, isConnected }: GreetingInput): void {
  const signIn = signInText(token, port, options, context);
  context.print(
    greeting({
      options,
      isConnected,
      version: context.version,
      url,
      command: context.commandFor("robot-daemon"),
      assistant: context.commandFor("robot-app-assistant"),
      defaultDataDir: defaultDataDir(context.env),
      signIn,
      workshop: workshop === null ? "" : workshopText(workshop, url, context),
    }),
  );
}

const workshopText = ({ app, secret }: { app: string; secret: string }, url: string, context: CommandContext): string =>
  workshopHint(app, context.isTerminal ? workshopLink(url, secret) : null);

/** The sign-in link on a terminal; where output is kept in a log, which is no place for a token, how to get the link. */
function signInText(
  token: string | null,
  port: number,
  { host, dataDir }: DaemonOptions,
  { isTerminal }: CommandContext,
): string {
  if (token === null) return "";
  if (!isTerminal) return signInHint(tokenFile(dataDir));
  return signInLink(networkUrl(host, port, networkInterfaces()), token);
}
