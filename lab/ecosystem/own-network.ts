// Runs a command in a network of its own, in which port 8000 is free.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export const SHARED = "No network of its own here (unshare, ip): port 8000 has to be free.";

const UP = 'ip link set lo up && exec "$@"';

export const inOwnNetwork = (command: string[]) => [
  "unshare",
  "--net",
  "--map-root-user",
  "sh",
  "-c",
  UP,
  "sh",
  ...command,
];

/** Whether the system lets this user make a network. */
export function canOwnNetwork() {
  const [file = "", ...args] = inOwnNetwork(["true"]);
  return promisify(execFile)(file, args).then(
    () => true,
    () => false,
  );
}
