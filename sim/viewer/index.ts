export { frameOf, frameOfJoints, type PoseState } from "./frame.ts";
export { colourOf } from "./model/colours.ts";
export type { Glow, Theme } from "./model/materials.ts";
export type { Pull, Push } from "./push-drag.ts";
export { createRobotView, type Mood, type RobotView, type RobotViewOptions } from "./robot-view.ts";
export { objectToAdd } from "./spawn.ts";
export type { Frame } from "./timeline.ts";
