import { z } from "zod";

const Three = z.tuple([z.number(), z.number(), z.number()]).readonly();

/** What the wireless robot's inertial sensor in the head measures, in the head's frame: x forward, y left, z up. */
export const InertialReading = z
  .object({
    accelerometer: Three.describe("m/s²; a head at rest measures 9.81 upwards"),
    gyroscope: Three.describe("rad/s"),
    quaternion: z
      .tuple([z.number(), z.number(), z.number(), z.number()])
      .readonly()
      .describe("Orientation of the head in the world: w, x, y, z"),
    temperature: z.number().describe("Of the sensor, °C"),
  })
  .readonly();
export type InertialReading = z.infer<typeof InertialReading>;
