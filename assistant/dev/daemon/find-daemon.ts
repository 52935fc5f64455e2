/** Where a daemon listens unless `--port` says otherwise. */
export const DAEMON_PORT = 8000;
export const DAEMON_URL = `http://127.0.0.1:${DAEMON_PORT}`;

/** Time for a daemon to answer; where none runs, the connection is refused at once. */
const PROBE_MS = 1000;

/** Whether a daemon answers at an address without a slash at the end. */
export function isDaemonAt(url: string, signal: AbortSignal): Promise<boolean> {
  return fetch(`${url}/healthz`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Address of the daemon that apps of this machine would connect to (`ROBOT_DAEMON_URL`); null when none answers. */
export async function findDaemon(
  { ROBOT_DAEMON_URL }: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string | null> {
  const url = (ROBOT_DAEMON_URL || DAEMON_URL).replace(/\/+$/, "");
  return (await isDaemonAt(url, AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]))) ? url : null;
}
