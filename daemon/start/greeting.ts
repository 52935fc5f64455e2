import { renderUnicodeCompact } from "uqr";
import { shellQuote } from "../../common/machine/own-command.ts";
import { WORKSHOP_SECRET_VARIABLE } from "../../robot/wire/workshop/access-secret.ts";
import type { DaemonOptions } from "../command-line/invocation.ts";

interface GreetingParts {
  options: DaemonOptions;
  /** Whether the robot answers. */
  isConnected: boolean;
  version: string;
  /** Where programs of this machine reach the daemon. */
  url: string;
  /** How a person runs robot-daemon and robot-app-assistant. */
  command: string;
  assistant: string;
  /** The data folder unless `--data-dir` says otherwise. */
  defaultDataDir: string;
  /** What the terminal says about signing in; empty on loopback. */
  signIn: string;
  /** What the terminal says about editing; empty without a workshop. */
  workshop: string;
}

/** What the terminal shows when the port is open: where to look and what to try. */
export function greeting({
  options: { sim, startupApp, dataDir },
  isConnected,
  version,
  url,
  command,
  assistant,
  defaultDataDir,
  signIn,
  workshop,
}: GreetingParts): string {
  const app = startupApp ?? "APP";
  const of = dataDir === defaultDataDir ? "" : ` --data-dir ${shellQuote(dataDir)}`;
  return `
robot-daemon ${version} with ${sim ? "a simulated robot" : isConnected ? "the robot" : "no robot yet: it connects as soon as there is one"}

  Dashboard   ${url}/
${workshop}  Try         touch an antenna or pull at the head${sim ? " with the mouse" : ""}
              ${command} start ${app}${of}   also stop, restart, list, logs
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

/** Where an app is edited; where output is kept in a log, which is no place for a secret, how to get the link. */
export const workshopHint = (app: string, link: string | null): string =>
  link === null
    ? `  Edit        ${app}: set ${WORKSHOP_SECRET_VARIABLE} before the start, then open the dashboard with #workshop=SECRET\n`
    : `  Edit        ${link}   ${app}; keep this link to yourself\n`;

/** How to get the link, for output that is kept in a log. */
export const signInHint = (tokenFile: string): string =>
  `  Sign in     robot-daemon link shows the link; programs send "Authorization: Bearer $(cat ${tokenFile})"\n\n`;
