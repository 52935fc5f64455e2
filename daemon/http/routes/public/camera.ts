import { z } from "zod";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { type Route, route } from "../../rest/route.ts";
import { type DaemonInfo, SIMULATED_CAMERA } from "../../sockets/sdk/daemon-status.ts";

const Resolution = z.object({
  name: z.string(),
  width: z.int(),
  height: z.int(),
  fps: z.number(),
  crop_factor: z.number(),
});
const Specs = z.object({
  name: z.string(),
  available_resolutions: z.array(Resolution),
  default_resolution: Resolution,
  K: z.array(z.array(z.number()).length(3)).length(3).describe("The camera's matrix, pixels"),
  D: z.array(z.number()).describe("Its distortion"),
});

const RESOLUTION = { name: "R1280x720at60fps", width: 1280, height: 720, fps: 60, crop_factor: 1 };

/** The route of the public daemon that describes the camera. Only a simulated robot has one here. */
export function cameraRoutes(info: DaemonInfo): Route[] {
  return [
    route({
      method: "get",
      path: "/api/camera/specs",
      summary: "The camera of the simulated robot, which apps of the public SDK see with",
      tag: "robot",
      result: Specs,
      errors: ["not-here"],
      handle: () => {
        if (!info.simulated)
          throw new WorkbenchError("not-here", "A physical robot has no camera here. Use look_at_world() instead.");
        const { width, height } = RESOLUTION;
        return {
          name: SIMULATED_CAMERA,
          available_resolutions: [RESOLUTION],
          default_resolution: RESOLUTION,
          // As the public SDK has it for this name.
          K: [
            [width, 0, width / 2],
            [0, height, height / 2],
            [0, 0, 1],
          ],
          D: [0, 0, 0, 0, 0],
        };
      },
    }),
  ];
}
