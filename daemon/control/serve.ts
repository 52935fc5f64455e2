import { problemOf } from "../../robot/wire/errors.ts";
import type { Channel, Report, Request } from "./messages.ts";
import type { Robot } from "./robot.ts";

/** Puts a robot at the disposal of the other end of a channel: its calls in, their answers, states and events out. */
export function serveRobot(robot: Robot, channel: Channel<Request, Report>): void {
  robot.onState((state) => channel.send({ kind: "state", state }));
  robot.onEvent((event) => channel.send({ kind: "event", event }));
  channel.onMessage((request) => {
    if (request.kind === "tell") return invoke(robot, request);
    const { number } = request;
    Promise.resolve(invoke(robot, request)).then(
      (value) => channel.send({ kind: "answer", number, value }),
      (error: unknown) => {
        const { code, detail } = problemOf(error);
        channel.send({ kind: "refusal", number, code, detail });
      },
    );
  });
}

/** TypeScript cannot see that method and arguments of a request belong together; `Request` says so. */
function invoke(robot: Robot, { method, args }: Request): unknown {
  return (robot[method] as (...args: unknown[]) => unknown)(...args);
}
