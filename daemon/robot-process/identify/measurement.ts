import { z } from "zod";
import { JOINTS } from "../../../robot/description/joints.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";

/** Samples a file may have: four minutes. */
const MAX_SAMPLES = 24_000;
const FEWEST_SAMPLES = 1000;

const numbers = z.array(z.number()).min(FEWEST_SAMPLES).max(MAX_SAMPLES);

const ServoSamples = z.object({
  id: z.number().int(),
  joint: z.string(),
  model: z.string(),
  firmware: z.number().int(),
  pGain: z.number().int().positive(),
  /** Ticks: goal, as the servo has it, and position; less the homing offset of the joint's zero. */
  goal: numbers,
  position: numbers,
  /** Register units: 885 is the full pulse width, 1 mA, 0.229 rpm. */
  pwm: numbers,
  current: numbers,
  velocity: numbers,
});

/** A file of `robot-daemon identify`: what nine servos had while the robot moved. */
export const Measurement = z.object({
  format: z.literal("servo-measurement"),
  version: z.literal(1),
  /** Seconds of each sample since the first. */
  time: numbers,
  /** V at the servos, mean, and C, the highest. */
  supply: z.number().min(2).max(15),
  temperature: z.number(),
  servos: z.array(ServoSamples).length(JOINTS.length),
});
export type Measurement = z.infer<typeof Measurement>;
export type ServoSamples = z.infer<typeof ServoSamples>;

/** @throws WorkbenchError `bad-request` for a text that is not such a file, with what is wrong and the next step */
export function parseMeasurement(text: string, path: string): Measurement {
  const measured = parseOrThrow(Measurement, parseJson(text, path), `${path}`);
  const length = measured.time.length;
  for (const servo of measured.servos) {
    for (const name of ["goal", "position", "pwm", "current", "velocity"] as const) {
      if (servo[name].length === length) continue;
      throw damaged(path, `${servo.joint} has ${servo[name].length} samples of ${name} instead of ${length}`);
    }
  }
  measured.servos.forEach(({ joint }, index) => {
    const expected = JOINTS[index]?.name;
    if (joint !== expected)
      throw damaged(path, `servo ${index + 1} of ${JOINTS.length} is "${joint}" instead of ${expected}`);
  });
  const disorder = measured.time.findIndex((time, sample) => sample > 0 && time <= (measured.time[sample - 1] ?? 0));
  if (disorder > 0) throw damaged(path, `time[${disorder}] is not after time[${disorder - 1}]`);
  return measured;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(path, "it is not JSON, or ends early");
  }
}

const damaged = (path: string, why: string) =>
  new WorkbenchError(
    "bad-request",
    `${path} is not a complete measurement: ${why}. Record it again with identify --record.`,
  );
