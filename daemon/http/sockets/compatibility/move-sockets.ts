import type { Unsubscribe } from "../../../../common/emitter.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import { problemOf } from "../../../../robot/wire/errors.ts";
import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import { parseJson } from "../../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import { SetTargetBody, targetOf } from "../../routes/target-body.ts";

const MAX_MESSAGE_BYTES = 8000;

/** The public daemon's word for how a move ended. */
const ENDINGS: Readonly<Record<string, string>> = {
  finished: "move_completed",
  superseded: "move_cancelled",
  cancelled: "move_cancelled",
};

/** `/api/move/ws/updates` of the public daemon: sends the start and the end of each move. */
export function moveUpdatesSocket(robot: Robot, clock: Clock): { endpoint: WebSocketEndpoint; close: Unsubscribe } {
  const endpoint = new WebSocketEndpoint({ clock, maxMessageBytes: MAX_MESSAGE_BYTES, onConnect: () => {} });
  const close = robot.onEvent((event) => {
    const update = updateOf(event);
    if (update === null) return;
    for (const { queue } of endpoint.clients) queue.send(JSON.stringify(update));
  });
  return { endpoint, close };
}

function updateOf({ kind, message, data }: RobotEvent) {
  const uuid = String(data.id);
  if (kind === "move_started") return { type: "move_started", uuid, details: "" };
  if (kind !== "move_ended") return null;
  const type = ENDINGS[String(data.outcome)] ?? "move_failed";
  return { type, uuid, details: type === "move_failed" ? message : "" };
}

/** `/api/move/ws/set_target` of the public daemon: takes targets, and answers those that are refused. */
export function setTargetSocket(robot: Robot, clock: Clock): WebSocketEndpoint {
  return new WebSocketEndpoint({
    clock,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    onConnect: () => {},
    async onMessage({ queue }, data) {
      try {
        const target = parseOrThrow(SetTargetBody, parseJson(String(data), "message"), "message");
        await robot.setTarget({ ...targetOf(target), keepsBodyYaw: true });
      } catch (error) {
        queue.send(JSON.stringify({ status: "error", detail: problemOf(error).detail }));
      }
    },
  });
}
