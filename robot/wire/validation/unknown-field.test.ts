import { expect, test } from "vitest";
import { z } from "zod";
import { Matrix16 } from "../quantities.ts";
import { Antennas, XyzRpy } from "../robot/robot-fields.ts";
import { rejectUnknownFields } from "./unknown-field.ts";

const target = z.object({
  head_pose: z.union([XyzRpy, Matrix16]).nullish(),
  antennas: Antennas.nullish(),
  body_yaw: z.number().default(0),
});

test.each([
  [{ antenna: [0, 0] }, "body.antenna is not a field of this request; did you mean antennas?"],
  [{ "body-yaw": 1 }, "body.body-yaw is not a field of this request; did you mean body_yaw?"],
  [{ bodyYaw: 1 }, "did you mean body_yaw?"],
  [{ head_pose: { jaw: 1 } }, "body.head_pose.jaw is not a field of this request; did you mean yaw?"],
])("%j is rejected with the name of the known field", (value, detail) => {
  expect(() => rejectUnknownFields(target, value, "body")).toThrow(detail);
});

test.each([
  {},
  { antennas: [0, 0], antenna: [0, 0] },
  { timestamp: 5, target_head_pose: {}, a: 1, body: 1 },
  { head_pose: { x: 0, w: 0 } },
  { head_pose: Array(16).fill(0) },
])("%j is accepted", (value) => {
  rejectUnknownFields(target, value, "body");
});
