export { frameOf, frameOfJoints, type PoseState } from "./frame.ts";
export type { Glow, Theme } from "./model/materials.ts";
export type { Push } from "./push-drag.ts";
export { createRobotView, type Mood, type RobotView, type RobotViewOptions } from "./robot-view.ts";
export type { Frame } from "./timeline.ts";
