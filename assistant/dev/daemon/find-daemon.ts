/** Where a daemon listens unless `--port` says otherwise. */
export const DAEMON_PORT = 8000;
export const DAEMON_URL = `http://127.0.0.1:${DAEMON_PORT}`;

/** Whether a daemon answers at an address without a slash at the end. */
export function isDaemonAt(url: string, signal: AbortSignal): Promise<boolean> {
  return fetch(`${url}/healthz`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
