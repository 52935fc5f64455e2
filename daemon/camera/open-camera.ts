import type { Clock } from "../../common/time/clock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { SceneFeed } from "../robot-client/scene-feed.ts";
import { Camera } from "./camera.ts";
import type { FrameMaker } from "./pictures/frame.ts";
import { FileSource } from "./sources/file-source.ts";
import { NO_SOURCE } from "./sources/no-source.ts";
import { SimulatedSource } from "./sources/simulated-source.ts";

export interface CameraOptions {
  /** `sim`, `none`, or a picture or a folder of pictures; null for the camera of a simulated robot, else none. */
  readonly choice: string | null;
  /** Of `openPictures`. */
  readonly pictures: FileSource | null;
  /** Of a simulated robot. */
  readonly scenes: SceneFeed | undefined;
  readonly maker: FrameMaker;
  readonly clock: Clock;
}

/**
 * The pictures of a file or folder; null when the choice is none.
 * @throws WorkbenchError `usage` when there is no such picture, and for the simulated camera of a physical robot
 */
export async function openPictures(
  choice: string | null,
  isSimulated: boolean,
  clock: Clock,
): Promise<FileSource | null> {
  if (choice === "sim" && !isSimulated)
    throw new WorkbenchError("usage", "--camera sim needs --sim: only a simulated robot has a simulated camera.");
  return choice === null || choice === "sim" || choice === "none" ? null : FileSource.open(choice, clock);
}

export function openCamera({ choice, pictures, scenes, maker, clock }: CameraOptions): Camera {
  const simulated = choice === "none" || scenes === undefined ? NO_SOURCE : new SimulatedSource(scenes, clock);
  return new Camera(pictures ?? simulated, maker, clock);
}
