import { z } from "zod";
import { nearestRigid } from "../../kinematics/rigid.ts";
import { WorkbenchError } from "../errors.ts";
import { Matrix16 } from "../quantities.ts";
import { parseJson } from "../validation/parse-json.ts";
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
/** Levels of lists and objects; a move has six. Parsing a file that is all brackets takes twenty times as long as a move. */
const MAX_DEPTH = 50;
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
  if (depthOf(text) > MAX_DEPTH)
    throw new WorkbenchError("bad-request", `${name} is no recorded move: its lists are more than ${MAX_DEPTH} deep.`);
  const { time, set_target_data: targets } = parseOrThrow(Lists, parseJson(text, name), name);
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

/** How deep the brackets of a text are nested at most. Those inside of its strings count, too. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}
