export { colourOf } from "../../robot/wire/scene/object-colour.ts";
export type { Frame } from "./frames/frame.ts";
export { frameOfJoints, frameOfState, type RobotPose } from "./frames/frame-of-state.ts";
export type { Glow, Theme } from "./model/materials.ts";
export { newTableObject } from "./objects/new-table-object.ts";
export type { Eyes } from "./picture.ts";
export { createRobotView, type RobotView, type RobotViewOptions } from "./robot-view.ts";
