import { z } from "zod";
import { ERRORS, type ErrorCode } from "../../robot/wire/errors.ts";
import { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import { RobotState } from "../../robot/wire/robot/robot-state.ts";
import { SceneObject } from "../../robot/wire/scene/hand-act.ts";
import { TorqueState } from "./torque-state.ts";

const Scene = z.object({
  time: z.number(),
  names: z.array(z.string()).readonly(),
  poses: z.custom<Float32Array>((poses) => poses instanceof Float32Array),
  objects: z.array(SceneObject).readonly(),
});

/**
 * From the main process to the robot process: a call of a method of one of its objects, `robot` and `simulation`. `id` comes
 * back with the answer.
 */
export interface CallMessage {
  kind: "call";
  id: number;
  object: string;
  method: string;
  args: readonly unknown[];
  /** Whether an answer without a result may come with the next state. */
  isAnsweredWithState?: boolean;
}

const Code = z.custom<ErrorCode>((code) => typeof code === "string" && code in ERRORS);

/** The answer to a call: what the method resolved with, or the error that it rejected with. */
export const AnswerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("result"), id: z.int(), value: z.unknown() }),
  z.object({ kind: z.literal("error"), id: z.int(), code: Code, detail: z.string() }),
]);
export type AnswerMessage = z.infer<typeof AnswerMessage>;

/** From the robot process to the main process. */
export const MessageFromRobotProcess = z.discriminatedUnion("kind", [
  ...AnswerMessage.options,
  z.object({
    kind: z.literal("state"),
    state: RobotState,
    isReturnOwed: z.boolean(),
    /** The torque that is wanted; null when it is not known. */
    wantedTorque: TorqueState.nullable(),
    /** Ids of the calls that this message answers: they have succeeded, without a result. */
    answered: z.array(z.int()),
  }),
  z.object({ kind: z.literal("event"), event: RobotEvent }),
  z.object({ kind: z.literal("scene"), scene: Scene }),
]);
export type MessageFromRobotProcess = z.infer<typeof MessageFromRobotProcess>;
