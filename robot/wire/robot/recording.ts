import { z } from "zod";
import { nearestRigid } from "../../kinematics/rigid.ts";
import { Matrix16 } from "../quantities.ts";

/** Seconds of the longest recording, and frames in it. */
const MAX_SECONDS = 600;
const MAX_FRAMES = 60_000;

const number = z.number();
const Rows = z.array(z.array(number).length(4)).length(4);
const Head = z.union([Rows.transform((rows) => rows.flat()), z.array(number).length(16)]).transform((m, context) => {
  const pose = nearestRigid(m);
  if (pose !== undefined) return Matrix16.parse([...pose]);
  context.addIssue({ code: "custom", message: "a rigid transform" });
  return z.NEVER;
});

/** One frame of a recorded move. */
export const RecordedFrame = z.object({
  /** Seconds since the first frame. */
  t: number,
  /** World frame, 4x4, row-major, metres. */
  head: Matrix16,
  /** Right, left; radians. */
  antennas: z.tuple([number, number]),
  /** Radians. */
  bodyYaw: number,
});
export type RecordedFrame = z.infer<typeof RecordedFrame>;

/** A recorded move as the public libraries of moves store it, one JSON file a move. */
export const RecordedMoveFile = z
  .object({
    description: z.string().default(""),
    time: z.array(number).min(2).max(MAX_FRAMES),
    set_target_data: z
      .array(z.object({ head: Head, antennas: z.tuple([number, number]), body_yaw: number.default(0) }))
      .min(2)
      .max(MAX_FRAMES),
  })
  .transform(({ description, time, set_target_data }, context) => {
    const start = time[0] ?? 0;
    const frames = set_target_data.slice(0, time.length).map(({ head, antennas, body_yaw }, index): RecordedFrame => {
      return { t: (time[index] ?? start) - start, head, antennas, bodyYaw: body_yaw };
    });
    const rises = frames.every(({ t }, index) => index === 0 || t >= (frames[index - 1]?.t ?? 0));
    const duration = frames.at(-1)?.t ?? 0;
    if (!rises) context.addIssue({ code: "custom", path: ["time"], message: "seconds that do not fall" });
    if (duration > MAX_SECONDS)
      context.addIssue({ code: "custom", path: ["time"], message: `at most ${MAX_SECONDS} s` });
    return { description, frames };
  });
export type RecordedMoveFile = z.infer<typeof RecordedMoveFile>;
