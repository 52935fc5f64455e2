import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import type { Channel, Report, Request } from "./messages.ts";
import type { Robot } from "./robot.ts";

/**
 * Puts a robot at the disposal of the other end of a channel: its calls in; answers, states, events and scenes out.
 *
 * @param onClosed called when the robot was closed and the answer is on its way
 */
export function serveRobot(robot: Robot, channel: Channel<Request, Report>, onClosed: () => void): void {
  const { simulation } = robot;
  robot.onState((state) => channel.send({ kind: "state", state }));
  robot.onEvent((event) => channel.send({ kind: "event", event }));
  simulation?.onScene((scene) => channel.send({ kind: "scene", scene }));
  channel.onMessage(async (request) => {
    if (request.kind === "tell") return invoke(robot, request);
    const { number } = request;
    try {
      const value = await invoke(request.kind === "call" ? robot : simulation, request);
      channel.send({ kind: "answer", number, value });
    } catch (error) {
      const { code, detail } = problemOf(error);
      channel.send({ kind: "refusal", number, code, detail });
    }
    if (request.method === "close") onClosed();
  });
}

/** TypeScript cannot see that object, method and arguments belong together; `Request` says so. */
function invoke(object: unknown, { method, args }: { method: string; args: readonly unknown[] }): unknown {
  if (object === undefined) throw new WorkbenchError("bad-request", `${method}: this robot is not simulated.`);
  return (object as Record<string, (...args: readonly unknown[]) => unknown>)[method]?.(...args);
}
