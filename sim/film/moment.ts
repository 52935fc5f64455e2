import type { DrawnObject } from "../../robot/wire/scene/scene-frame.ts";
import type { PageFrame } from "../page/page-frame.ts";

/** The robot and the objects beside it at one time. */
export interface Moment extends PageFrame {
  readonly objects: readonly DrawnObject[];
}
