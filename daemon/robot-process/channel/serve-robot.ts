import { LatestSender } from "../../../common/latest-sender.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import type { Scene } from "../../../robot/wire/scene/scene-frame.ts";
import type { MessageFromRobotProcess } from "../../robot-client/messages.ts";
import type { Robot } from "../../robot-client/robot.ts";
import type { CallMessage } from "../../robot-client/rpc/call-message.ts";
import { answerCall } from "./answer-call.ts";

/** The way to the main process. */
interface CallPort {
  send(message: MessageFromRobotProcess, onSent?: () => void): void;
  onCall(listener: (call: CallMessage) => void): void;
}

/** The robot of this process, and whether it owes a return: a process that replaces this one is told. */
type ServedRobot = Robot & { readonly appSession: { readonly isReturnOwed: boolean } };

/**
 * Serves a robot over a channel: calls in; answers, states, events and scenes out. Of states and scenes only the newest
 * waits when the reader is slow.
 *
 * @param onClosed called when the robot was closed and the answer has been sent
 */
export function serveRobot(robot: ServedRobot, port: CallPort, onClosed: () => void): void {
  const { simulation } = robot;
  // Resolves when the message has left this process: a reader that has stalled costs no memory.
  const left = (message: MessageFromRobotProcess) => new Promise<void>((resolve) => port.send(message, resolve));
  /** Ids of calls that the next message with a state answers. */
  const answered: number[] = [];
  const states = new LatestSender<RobotState>((state) =>
    left({ kind: "state", state, isReturnOwed: robot.appSession.isReturnOwed, answered: answered.splice(0) }),
  );
  const scenes = new LatestSender<Scene>((scene) => left({ kind: "scene", scene }));
  robot.onState((state) => void states.send(state));
  robot.onEvent((event) => port.send({ kind: "event", event }));
  simulation?.onScene((scene) => void scenes.send(scene));
  const objects = { robot, simulation };
  const serve = async (call: CallMessage): Promise<void> => {
    const answer = await answerCall(objects, call);
    if (call.isAnsweredWithState && answer.kind === "result" && answer.value === undefined) answered.push(call.id);
    else port.send(answer);
    if (call.object === "robot" && call.method === "close") onClosed();
  };
  port.onCall((call) => void serve(call));
}
