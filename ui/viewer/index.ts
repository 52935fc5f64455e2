export type { Frame } from "./frames/frame.ts";
export { frameOfJoints } from "./frames/frame-of-state.ts";
export { createRobotView, type RobotView, type RobotViewOptions } from "./robot-view.ts";
