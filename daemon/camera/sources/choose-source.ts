import type { Clock } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { SceneFeed } from "../../robot-client/scene-feed.ts";
import type { CameraSource } from "./camera-source.ts";
import { FileCameraSource } from "./file-camera-source.ts";
import { SimulatedCameraSource } from "./simulated-camera-source.ts";

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

/**
 * The file or folder that `--camera` names; null when it names none.
 * @param choice `sim`, `none`, or a path; null for the camera of a simulated robot, else none
 * @throws WorkbenchError `usage` when there is no such picture, and for the simulated camera of a physical robot
 */
export async function openCameraFile(
  choice: string | null,
  isSimulated: boolean,
  clock: Clock,
): Promise<FileCameraSource | null> {
  if (choice === "sim" && !isSimulated)
    throw new WorkbenchError("usage", "--camera sim needs --sim: only a simulated robot has a simulated camera.");
  return choice === null || choice === "sim" || choice === "none" ? null : FileCameraSource.open(choice, clock);
}

/**
 * The source that `--camera` chooses.
 * @param file of `openCameraFile`
 * @param scenes of a simulated robot
 */
export function chooseCameraSource(
  choice: string | null,
  file: FileCameraSource | null,
  scenes: SceneFeed | undefined,
  clock: Clock,
): CameraSource {
  if (file !== null) return file;
  return choice === "none" || scenes === undefined ? NO_CAMERA : new SimulatedCameraSource(scenes, clock);
}
