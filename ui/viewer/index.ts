export type { Frame } from "./frames/frame.ts";
export { frameOfJoints, frameOfState, type RobotPose } from "./frames/frame-of-state.ts";
export { colourOf } from "./model/colours.ts";
export type { Glow, Theme } from "./model/materials.ts";
export { newTableObject } from "./objects/new-table-object.ts";
export type { Eyes } from "./picture.ts";
export { createRobotView, type RobotView, type RobotViewOptions } from "./robot-view.ts";
