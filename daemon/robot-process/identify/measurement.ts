import { z } from "zod";
import { JOINTS } from "../../../robot/description/joints.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";

/** Samples of a file, 100 per second: from 10 s to four minutes. */
const MIN_SAMPLES = 1000;
const MAX_SAMPLES = 24_000;

/** One number per sample. */
const Column = z.array(z.number()).min(MIN_SAMPLES).max(MAX_SAMPLES);

const ServoSamples = z.object({
  /** Id on the bus. */
  id: z.number().int(),
  /** Name of the joint that it moves. */
  joint: z.string(),
  model: z.string(),
  firmware: z.number().int(),
  /** P gain of the position loop, as its register has it. */
  pGain: z.number().int().positive(),
  /** Goal and present position, ticks, as the registers have them. */
  goal: Column,
  position: Column,
  /** Pulse width: 885 is full. */
  pwm: Column,
  /** mA */
  current: Column,
  /** 0.229 rpm */
  velocity: Column,
});

/** A file of `robot-daemon identify --record`: the registers of the nine servos while the robot moved. */
export const Measurement = z.object({
  format: z.literal("servo-measurement"),
  version: z.literal(1),
  /** Seconds of each sample since the first. */
  time: Column,
  /** Mean voltage at the servos, V. */
  supply: z.number().min(2).max(15),
  /** Highest temperature of a servo, °C. */
  temperature: z.number(),
  /** In the order of the joints. */
  servos: z.array(ServoSamples).length(JOINTS.length),
});
export type Measurement = z.infer<typeof Measurement>;
export type ServoSamples = z.infer<typeof ServoSamples>;

/**
 * Parses the text of a measurement.
 * @param path names the file in errors
 * @throws WorkbenchError `bad-request` for a text that is no complete measurement, with what is wrong and the next step
 */
export function parseMeasurement(text: string, path: string): Measurement {
  const measured = parseOrThrow(Measurement, parseJson(text, path), path);
  const { length } = measured.time;
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
  const unordered = measured.time.findIndex((time, sample) => sample > 0 && time <= (measured.time[sample - 1] ?? 0));
  if (unordered > 0) throw damaged(path, `time[${unordered}] is not after time[${unordered - 1}]`);
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
