import { expect, test } from "vitest";
import type { DaemonInfo } from "../../sockets/sdk/daemon-status.ts";
import { cameraRoutes } from "./camera.ts";

const info: DaemonInfo = { robotName: "robot", version: "1", wireless: false, simulated: true, platform: "Linux" };
const request = { params: {}, query: {}, body: undefined } as never;

test("the simulated robot's camera is described; a physical robot has none, and the answer says what to use", async () => {
  const [simulated] = cameraRoutes(info);
  expect(await simulated?.handle(request)).toMatchObject({ default_resolution: { width: 1280, height: 720 } });
  const [physical] = cameraRoutes({ ...info, simulated: false });
  expect(() => physical?.handle(request)).toThrow(/has no camera here. Use look_at_world/);
});
