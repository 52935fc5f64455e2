import { z } from "zod";

/*
 * Numbers with a unit, as apps and people send them. The bounds catch mixed-up units, and are the same as in the SDK's
 * `arguments.py`. The robot's real limits are narrower; robot/motion applies them.
 */

/** Radians. Joints turn at most half a turn, so a value above a whole turn is in degrees. */
const MAX_ANGLE = 2 * Math.PI;
/** Metres. The head moves by centimetres, so a value above a metre is in millimetres. */
const MAX_OFFSET = 1;

const isNumber = (input: unknown): input is number => typeof input === "number";
const rounded = (value: number): string => String(Number(value.toPrecision(4)));

const notDegrees = {
  error: ({ input }: { input?: unknown }) =>
    `an angle in radians, not degrees, from -6.283 to 6.283${isNumber(input) ? `: ${rounded(input)} degrees are ${rounded((input * Math.PI) / 180)}` : ""}`,
};
/** An angle in radians, from minus to plus a whole turn. */
export const Angle = z.number().min(-MAX_ANGLE, notDegrees).max(MAX_ANGLE, notDegrees);

const metresNotMillimetres = (input: unknown): string =>
  `a length in metres, not millimetres, from -1 to 1${isNumber(input) ? `: ${rounded(input)} mm are ${rounded(input / 1000)}` : ""}`;
const notMillimetres = { error: ({ input }: { input?: unknown }) => metresNotMillimetres(input) };
/** A coordinate of the head in metres, from -1 to 1. */
export const Offset = z.number().min(-MAX_OFFSET, notMillimetres).max(MAX_OFFSET, notMillimetres);

/** Indices of the translation in a row-major 4x4 matrix. */
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

/** A duration: seconds above 0 and at most `max`. */
export function durationUpTo(max: number) {
  const seconds = {
    error: ({ input }: { input?: unknown }) => {
      const hint = isNumber(input) && input > max ? `: ${rounded(input)} ms are ${rounded(input / 1000)}` : "";
      return `a time in seconds, above 0 and at most ${max}${hint}`;
    },
  };
  return z.number().gt(0, seconds).max(max, seconds);
}

/** A number above 0 and at most `max`, in a unit. */
export function positiveUpTo(max: number, unit: string) {
  const bounds = { error: `a number of ${unit}, above 0 and at most ${max}` };
  return z.number().gt(0, bounds).max(max, bounds);
}

/** A whole number in a query string, from `min` to `max`. */
export function countIn(min: number, max: number) {
  const bounds = { error: `a whole number from ${min} to ${max}` };
  return z.coerce.number(bounds).int(bounds).min(min, bounds).max(max, bounds);
}
