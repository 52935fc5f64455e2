import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { spawnRobotSim } from "../../sim/process/spawn-robot-sim.ts";
import { simulationRoutes } from "../http/routes/simulation.ts";
import { startDaemonInProcess } from "../testing/daemon-in-process.ts";

/** A daemon whose robot is behind a serial port, as a physical one is. */
async function startWithSerialPort(): Promise<{ url: string }> {
  const sim = await spawnRobotSim("pty");
  onTestFinished(() => sim.close());
  const dataDir = temporaryFolder("robot-daemon-");
  const options = { dataDir, startupApp: null, wakeUpOnStart: false, gracePeriod: 1, serialport: sim.address };
  const daemon = await startDaemonInProcess({ ...options, warmStart: false });
  onTestFinished(() => daemon.close());
  return daemon;
}

test("the time and the world of a physical robot cannot be changed: there are no such routes", async () => {
  const { url } = await startWithSerialPort();
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, unknown> };
  const paths = Object.keys(document.paths);
  expect(paths).toContain("/api/daemon/status");
  expect(paths.filter((path) => path.startsWith("/api/simulation"))).toEqual([]);
  const routes = simulationRoutes({} as never, {} as never, () => {});
  expect(routes.map(({ path }) => path)).toContain("/api/simulation/rewind");
  for (const { method, path } of routes) {
    const body = method === "get" ? {} : { body: "{}", headers: { "content-type": "application/json" } };
    const answer = await fetch(`${url}${path.replace(/:\w+/g, "x")}`, { method: method.toUpperCase(), ...body });
    expect(answer.status, path).toBe(404);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("needs a simulated robot") });
  }
});
