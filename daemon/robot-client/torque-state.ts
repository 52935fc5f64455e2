import { z } from "zod";
import { JOINTS } from "../../robot/description/joints.ts";
import { MotorMode } from "../../robot/wire/robot/robot-fields.ts";

/** Which joints have torque, or shall have it, and how it is controlled. Joints are indices into `JOINTS`. */
export const TorqueState = z.object({
  mode: MotorMode,
  joints: z
    .array(
      z
        .int()
        .min(0)
        .max(JOINTS.length - 1),
    )
    .readonly(),
});
export type TorqueState = z.infer<typeof TorqueState>;
