import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { CameraSource } from "./camera-source.ts";

/** A robot without a camera. */
export const NO_CAMERA: CameraSource = {
  kind: "none",
  start: () => () => {},
  take: async () => {
    throw new WorkbenchError(
      "camera-unavailable",
      "This robot has no camera. Start the daemon with --sim for the simulated one, or with --camera FILE.jpg.",
    );
  },
};
