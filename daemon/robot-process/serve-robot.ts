import { LatestSender } from "../../common/latest-sender.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { AnswerMessage, CallMessage, MessageFromRobotProcess } from "../robot-client/messages.ts";
import type { Robot } from "../robot-client/robot.ts";
import type { TorqueState } from "../robot-client/torque-state.ts";

/** What this process has of `process` when it was forked. */
type ForkedProcess = Pick<NodeJS.Process, "connected" | "send" | "on">;

/** The IPC channel to the main process, which forked this one. */
export class ParentPort {
  readonly #process: ForkedProcess;

  constructor(forked: ForkedProcess) {
    this.#process = forked;
  }

  /** Sends a message; `onSent` is called when it has left this process, or never will. */
  send(message: MessageFromRobotProcess, onSent: () => void = () => undefined): void {
    // Without a callback, a message on its way while the main process is killed would end this one with EPIPE.
    if (this.#process.connected) this.#process.send?.(message, undefined, undefined, onSent);
    else onSent();
  }

  onCall(listener: (call: CallMessage) => void): void {
    this.#process.on("message", (message) => {
      if (isCallMessage(message)) listener(message);
    });
  }

  /** Called once, when the main process has ended or has closed the channel; at once when it did so before this program ran. */
  onDisconnect(listener: () => void): void {
    if (this.#process.connected) this.#process.on("disconnect", listener);
    else listener();
  }
}

/** Whether a message is a call. By hand: the robot process starts sooner without the schema library. */
export function isCallMessage(message: unknown): message is CallMessage {
  if (typeof message !== "object" || message === null) return false;
  const { kind, id, object, method, args }: { [Key in keyof CallMessage]?: unknown } = message;
  const areNames = typeof object === "string" && typeof method === "string";
  return kind === "call" && typeof id === "number" && areNames && Array.isArray(args);
}

/** The robot of this process, and what a process that replaces this one is told: whether it owes a return, and its torque. */
type ServedRobot = Robot & {
  readonly appSession: { readonly isReturnOwed: boolean };
  readonly wantedTorque: TorqueState | null;
};

/**
 * Serves a robot over a channel: calls in; answers, states, events and scenes out. Of states and scenes only the newest
 * waits when the reader is slow.
 *
 * @param onClosed called when the robot was closed and the answer has been sent
 */
export function serveRobot(robot: ServedRobot, port: Pick<ParentPort, "send" | "onCall">, onClosed: () => void): void {
  const { simulation } = robot;
  // Resolves when the message has left this process: a reader that has stalled costs no memory.
  const left = (message: MessageFromRobotProcess) => new Promise<void>((resolve) => port.send(message, resolve));
  /** Ids of calls that the next message with a state answers. */
  const answered: number[] = [];
  const states = new LatestSender<RobotState>((state) => {
    const { appSession, wantedTorque } = robot;
    const { isReturnOwed } = appSession;
    return left({ kind: "state", state, isReturnOwed, wantedTorque, answered: answered.splice(0) });
  });
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

/** The objects that can be called, by their names on the channel. */
type CallableObjects = Readonly<Record<string, object | undefined>>;

/** Carries out a call; what the method resolves with or rejects with is the answer. */
export async function answerCall(
  objects: CallableObjects,
  { id, object, method, args }: CallMessage,
): Promise<AnswerMessage> {
  try {
    return { kind: "result", id, value: await invoke(objects[object], object, method, args) };
  } catch (error) {
    const { code, detail } = problemOf(error);
    return { kind: "error", id, code, detail };
  }
}

function invoke(target: object | undefined, name: string, method: string, args: readonly unknown[]): unknown {
  const implementation: unknown = target === undefined ? undefined : Reflect.get(target, method);
  if (target !== undefined && typeof implementation === "function") return Reflect.apply(implementation, target, args);
  const why = target === undefined ? `this robot has no ${name}` : `the ${name} has no such method`;
  throw new WorkbenchError("bad-request", `${name}.${method} cannot be called: ${why}.`);
}
