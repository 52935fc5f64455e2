import type { Pose } from "../../description/frames.ts";
import { positionOf, rotationOf } from "../../kinematics/pose.ts";
import { type CameraPlace, cameraInHead } from "../projection.ts";

/** @param head the head frame in the world, translation in metres */
export const cameraAtPose = (head: Pose): CameraPlace =>
  cameraInHead({ position: positionOf(head), rotation: rotationOf(head) });
