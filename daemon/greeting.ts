import type { DaemonOptions } from "./options.ts";

/** What the terminal shows once the port is open: where to look and what to try. */
export function greeting({
  port,
  options,
  version,
}: {
  port: number;
  options: DaemonOptions;
  version: string;
}): string {
  const { host, sim, startupApp } = options;
  const address = `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
  const app = startupApp ?? "APP";
  return `
robot-daemon ${version} with ${sim ? "a simulated robot" : "the robot"}

  Dashboard   ${address}/
  Try         touch an antenna or pull at the head with the mouse
              curl -X POST ${address}/api/apps/stop-current-app
              curl -X POST ${address}/api/apps/start-app/${app}
  Your app    npx robot-daemon install ./my_app   then Start in the dashboard
  End         Ctrl-C

`;
}
