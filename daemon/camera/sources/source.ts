import type { Unsubscribe } from "../../../common/emitter.ts";
import type { FrameContent } from "../pictures/picture.ts";

/** What the camera shows. */
export interface CameraSource {
  readonly kind: "simulation" | "file" | "browser" | "none";
  /** Begins to have pictures. Called when somebody looks; the result is called when nobody does any more. */
  start(): Unsubscribe;
  /**
   * The newest picture; waits for the first one after `start`.
   * @throws WorkbenchError `camera-unavailable` when there is none, with what to do
   */
  take(): Promise<FrameContent>;
}
