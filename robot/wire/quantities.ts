import { z } from "zod";

/*
 * Numbers with a unit, as they come in from apps and people. The bounds catch units that were clearly mixed up, and are
 * those of the SDK's `arguments.py`; what the robot can really do is narrower and is robot/motion's business.
 */

/** Radians. No joint turns further than half a turn, so more than a whole one can only be degrees. */
const MAX_ANGLE = 2 * Math.PI;
/** Metres. The head moves by centimetres, so more than a metre can only be millimetres. */
const MAX_OFFSET = 1;

const isNumber = (input: unknown): input is number => typeof input === "number";
const rounded = (value: number): string => String(Number(value.toPrecision(4)));

const notDegrees = {
  error: ({ input }: { input?: unknown }) =>
    `an angle in radians, not degrees, from -6.283 to 6.283${isNumber(input) ? `: ${rounded(input)} degrees are ${rounded((input * Math.PI) / 180)}` : ""}`,
};
/** An angle in radians, at most a whole turn either way. */
export const Angle = z.number().min(-MAX_ANGLE, notDegrees).max(MAX_ANGLE, notDegrees);

const metresNotMillimetres = (input: unknown): string =>
  `a length in metres, not millimetres, from -1 to 1${isNumber(input) ? `: ${rounded(input)} mm are ${rounded(input / 1000)}` : ""}`;
const notMillimetres = { error: ({ input }: { input?: unknown }) => metresNotMillimetres(input) };
/** A place of the head along one axis in metres, at most one either way. */
export const Offset = z.number().min(-MAX_OFFSET, notMillimetres).max(MAX_OFFSET, notMillimetres);

/** Where a row-major 4x4 matrix has its translation. */
const TRANSLATION = [3, 7, 11] as const;

/** A rigid transform, 4x4, row-major, translation in metres; the identity is the neutral head. */
export const Matrix16 = z
  .array(z.number())
  .length(16)
  .superRefine((matrix, context) => {
    const index = TRANSLATION.find((at) => Math.abs(matrix[at] ?? 0) > MAX_OFFSET);
    if (index === undefined) return;
    context.addIssue({ code: "custom", path: [index], message: metresNotMillimetres(matrix[index]) });
  });

/** How long something takes: seconds above 0 and at most `most`. */
export function durationUpTo(most: number) {
  const seconds = {
    error: ({ input }: { input?: unknown }) => {
      const hint = isNumber(input) && input > most ? `: ${rounded(input)} ms are ${rounded(input / 1000)}` : "";
      return `a time in seconds, above 0 and at most ${most}${hint}`;
    },
  };
  return z.number().gt(0, seconds).max(most, seconds);
}

/** A number above 0 and at most `most`, in a unit. */
export function positiveUpTo(most: number, unit: string) {
  const bounds = { error: `a number of ${unit}, above 0 and at most ${most}` };
  return z.number().gt(0, bounds).max(most, bounds);
}

/** A whole number of a query, from `least` to `most`. */
export function countIn(least: number, most: number) {
  const bounds = { error: `a whole number from ${least} to ${most}` };
  return z.coerce.number(bounds).int(bounds).min(least, bounds).max(most, bounds);
}
