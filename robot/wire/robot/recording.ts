import { z } from "zod";
import { nearestRigid } from "../../kinematics/rigid.ts";
import { WorkbenchError } from "../errors.ts";
import { Matrix16 } from "../quantities.ts";
import { parseJsonLists } from "../validation/json-lists.ts";
import { parseOrThrow } from "../validation/parse-or-throw.ts";

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

/** A list of a recorded move, whose items are checked one by one. */
const List = z.custom<readonly unknown[]>(
  (value) => Array.isArray(value) && value.length >= 2 && value.length <= MAX_FRAMES,
  `a list of 2 to ${MAX_FRAMES} items`,
);
const Lists = z.object({ time: List, set_target_data: List });
const Target = z.object({ head: Head, antennas: z.tuple([number, number]), body_yaw: number.default(0) });
/** Frames that are checked without a pause. */
const FRAMES_AT_ONCE = 100;

/**
 * Reads a recorded move as the public libraries of moves store it, one JSON file a move.
 * @param name of the file, for messages
 * @param pause is awaited again and again, so that others have their turn
 * @throws WorkbenchError `bad-request` when it is no such move
 */
export async function parseRecordedMove(
  text: string,
  name: string,
  pause: () => Promise<void>,
): Promise<RecordedFrame[]> {
  const parsed = await parseJsonLists(text, { name, maxItems: MAX_FRAMES, pause });
  const { time, set_target_data: targets } = parseOrThrow(Lists, parsed, name);
  const frames: RecordedFrame[] = [];
  let [start, last] = [0, 0];
  for (const [index, given] of targets.slice(0, time.length).entries()) {
    if (index % FRAMES_AT_ONCE === 0) await pause();
    const at = parseOrThrow(number, time[index], `${name}.time[${index}]`);
    const { head, antennas, body_yaw: bodyYaw } = parseOrThrow(Target, given, `${name}.set_target_data[${index}]`);
    if (index === 0) start = at;
    const t = at - start;
    if (t < last || t > MAX_SECONDS)
      throw new WorkbenchError(
        "bad-request",
        `${name}.time[${index}] is ${at}; it must be at least the one before, and at most ${MAX_SECONDS} s after the first.`,
      );
    last = t;
    frames.push({ t, head, antennas, bodyYaw });
  }
  return frames;
}
