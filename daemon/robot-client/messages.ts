import { z } from "zod";
import { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import { RobotState } from "../../robot/wire/robot/robot-state.ts";
import { SceneObject } from "../../robot/wire/scene/hand-act.ts";
import { AnswerMessage } from "./rpc/answer-message.ts";
import type { CallMessage } from "./rpc/call-message.ts";

const Scene = z.object({
  time: z.number(),
  names: z.array(z.string()).readonly(),
  poses: z.custom<Float32Array>((poses) => poses instanceof Float32Array),
  objects: z.array(SceneObject).readonly(),
});

/** From the main process to the robot process: calls of the objects `robot` and `simulation`. */
export type MessageToRobotProcess = CallMessage;

/** From the robot process to the main process. */
export const MessageFromRobotProcess = z.discriminatedUnion("kind", [
  ...AnswerMessage.options,
  z.object({
    kind: z.literal("state"),
    state: RobotState,
    isReturnOwed: z.boolean(),
    /** Ids of the calls that this message answers: they have succeeded, without a result. */
    answered: z.array(z.int()),
  }),
  z.object({ kind: z.literal("event"), event: RobotEvent }),
  z.object({ kind: z.literal("scene"), scene: Scene }),
]);
export type MessageFromRobotProcess = z.infer<typeof MessageFromRobotProcess>;
