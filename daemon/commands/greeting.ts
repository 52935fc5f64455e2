import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";
import { shellQuote } from "../../common/machine/own-command.ts";
import { WORKSHOP_SECRET_VARIABLE, workshopLink } from "../../robot/wire/workshop/access-secret.ts";
import type { DaemonOptions } from "../command-line/invocation.ts";
import { defaultDataDir } from "../command-line/options.ts";
import { tokenFile } from "../network/access-token.ts";
import { networkUrl } from "../network/addresses.ts";
import type { CommandContext } from "./command-context.ts";

interface GreetingParts {
  options: DaemonOptions;
  context: Pick<CommandContext, "version" | "env" | "commandFor" | "isTerminal">;
  /** Where programs of this machine reach the daemon. */
  url: string;
  port: number;
  /** What browsers sign in with; null on loopback. */
  token: string | null;
  /** The app that can be edited, and the secret that this takes. */
  workshop: { app: string; secret: string } | null;
  /** Whether the robot answers. */
  isConnected: boolean;
}

/** What the terminal shows when the port is open: where to look, what to try, and how to sign in. */
export function greeting({ options, context, url, port, token, workshop, isConnected }: GreetingParts): string {
  const { sim, startupApp, dataDir, host } = options;
  const { version, env, commandFor, isTerminal } = context;
  const app = startupApp ?? "APP";
  const of = dataDir === defaultDataDir(env) ? "" : ` --data-dir ${shellQuote(dataDir)}`;
  const assistant = commandFor("robot-app-assistant");
  const edit =
    workshop === null ? "" : workshopHint(workshop.app, isTerminal ? workshopLink(url, workshop.secret) : null);
  const linkOf = (code: string) => signInLink(networkUrl(host, port, networkInterfaces()), code);
  const signIn = token === null ? "" : isTerminal ? linkOf(token) : signInHint(tokenFile(dataDir));
  return `
robot-daemon ${version} with ${sim ? "a simulated robot" : isConnected ? "the robot" : "no robot yet: it connects as soon as there is one"}

  Dashboard   ${url}/
${edit}  Try         touch an antenna or pull at the head${sim ? " with the mouse" : ""}
              ${commandFor("robot-daemon")} start ${app}${of}   also stop, restart, list, logs
  Your app    ${assistant} create my_app
              ${assistant} dev my_app --open${of}   runs it here, again after every save
  Interface   ${url}/docs
  End         Ctrl-C

${signIn}`;
}

/** The link that signs a browser in, and as a QR code for a phone. `url` is where other machines reach the daemon. */
export function signInLink(url: string, token: string): string {
  const link = `${url}/?token=${token}`;
  return `  Sign in     ${link}\n\n${renderUnicodeCompact(link).replace(/^/gm, "  ")}\n\n`;
}

/** The greeting's line about editing: the link, or how to get it where output goes to a log, which must not hold the secret. */
export const workshopHint = (app: string, link: string | null): string =>
  link === null
    ? `  Edit        ${app}: set ${WORKSHOP_SECRET_VARIABLE} before the start, then open the dashboard with #workshop=SECRET\n`
    : `  Edit        ${link}   ${app}; keep this link to yourself\n`;

/** How to get the link, for output that is kept in a log. */
export const signInHint = (tokenFile: string): string =>
  `  Sign in     robot-daemon link shows the link; programs send "Authorization: Bearer $(cat ${tokenFile})"\n\n`;
