import { expect, test } from "vitest";
import { z } from "zod";
import { refuseMisspelt } from "./misspelt.ts";
import { Matrix16 } from "./quantities.ts";
import { Antennas, XyzRpy } from "./robot.ts";

const target = z.object({
  head_pose: z.union([XyzRpy, Matrix16]).nullish(),
  antennas: Antennas.nullish(),
  body_yaw: z.number().default(0),
});

test.each([
  [{ antenna: [0, 0] }, "body.antenna is no field of this request; it must be antennas."],
  [{ "body-yaw": 1 }, "body.body-yaw is no field of this request; it must be body_yaw."],
  [{ bodyYaw: 1 }, "it must be body_yaw."],
  [{ head_pose: { jaw: 1 } }, "body.head_pose.jaw is no field of this request; it must be yaw."],
])("%j is refused with the field that was meant", (value, detail) => {
  expect(() => refuseMisspelt(target, value, "body")).toThrow(detail);
});

test.each([
  {},
  { antennas: [0, 0], antenna: [0, 0] },
  { timestamp: 5, target_head_pose: {}, a: 1, body: 1 },
  { head_pose: { x: 0, w: 0 } },
  { head_pose: Array(16).fill(0) },
])("%j is left as it is", (value) => {
  refuseMisspelt(target, value, "body");
});
