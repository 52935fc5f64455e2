import type { DaemonClient } from "../../robot/rest/daemon-client.ts";
import { stopCurrentApp } from "./daemon/session-app.ts";

interface KeyActions {
  client: Pick<DaemonClient, "request" | "url">;
  restart(): Promise<void>;
  openDashboard(): Promise<void>;
}

interface Key {
  key: string;
  /** For the line of help, with the key's letter in it. */
  help: string;
  /** The line that says what is done. */
  says: string;
  /** Whether it needs a simulated robot. */
  simulation?: true;
  act(actions: KeyActions): Promise<unknown>;
}

/** Newtons and seconds. */
const PUSH = { body: "head", force: [0, 3, 0], seconds: 0.5 };

/** The keys of `dev`, in the order of the help. */
export const KEYS: readonly Key[] = [
  { key: "r", help: "restart", says: "restart", act: ({ restart }) => restart() },
  {
    key: "a",
    help: "touch an antenna",
    says: "touch the right antenna",
    simulation: true,
    act: ({ client }) => client.request("POST", "/api/simulation/touch/right"),
  },
  {
    key: "p",
    help: "push the head",
    says: "push the head",
    simulation: true,
    act: ({ client }) => client.request("POST", "/api/simulation/push", PUSH),
  },
  {
    key: "s",
    help: "sleep",
    says: "stop the app and go to sleep",
    act: ({ client }) => client.request("POST", "/api/move/play/goto_sleep"),
  },
  { key: "w", help: "wake up", says: "wake up", act: ({ client }) => client.request("POST", "/api/move/play/wake_up") },
  { key: "x", help: "stop the app", says: "stop the app", act: ({ client }) => stopCurrentApp(client) },
  { key: "d", help: "open the dashboard", says: "open the dashboard", act: ({ openDashboard }) => openDashboard() },
];

/** Keys that end `dev`: q, Ctrl-C and Ctrl-D. */
export const QUIT_KEYS: readonly string[] = ["q", "\x03", "\x04"];

export function keyHelp(isSimulated: boolean): string {
  const keys = KEYS.filter(({ simulation }) => isSimulated || !simulation);
  return [...keys.map(({ key, help }) => `${key} ${help}`), "q quit"].join(" · ");
}
