import type { Unsubscribe } from "../../../common/emitter.ts";
import type { FrameContent } from "../pictures/frame.ts";

/** Where the camera's pictures come from. */
export interface CameraSource {
  readonly kind: "simulation" | "file" | "none";
  /** Starts to produce pictures. Called for the first viewer; the returned function is called after the last one leaves. */
  start(): Unsubscribe;
  /**
   * The newest picture; waits for the first one after `start`.
   * @throws WorkbenchError `camera-unavailable` when there is none, with what to do
   */
  take(): Promise<FrameContent>;
}
