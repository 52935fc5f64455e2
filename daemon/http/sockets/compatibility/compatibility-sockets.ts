import type { Clock } from "../../../../common/time/clock.ts";
import { problemOf, WorkbenchError } from "../../../../robot/wire/errors.ts";
import { positiveUpTo } from "../../../../robot/wire/quantities.ts";
import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import { formatForMessage } from "../../../../robot/wire/validation/format-for-message.ts";
import { parseJson } from "../../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import type { AppHost } from "../../../apps/app-host.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import { SetTargetBody, targetOf } from "../../routes/target-body.ts";
import { FullStateQuery, fullState } from "../../state/full-state.ts";

const MAX_MESSAGE_BYTES = 8000;
/** Milliseconds between two looks at a job. */
const JOB_PERIOD_MS = 200;

/** The sockets of the public daemon that ours has under the same addresses; `:id` stands for the last part of a path. */
export function compatibilitySockets(robot: Robot, apps: AppHost, clock: Clock): [path: string, WebSocketEndpoint][] {
  return [
    ["/api/state/ws/full", fullStateSocket(robot, clock)],
    ["/api/move/ws/updates", moveUpdatesSocket(robot, clock)],
    ["/api/move/ws/set_target", setTargetSocket(robot, clock)],
    ["/api/apps/ws/apps-manager/:id", jobSocket(apps, clock)],
  ];
}

/** The state is measured this many times a second. */
const MAX_HZ = 50;

const FullStateSocketQuery = FullStateQuery.extend({
  frequency: positiveUpTo(1000, "hertz").default(10).describe("Messages per second; more than 50 count as 50"),
});

/** `/api/state/ws/full` of the public daemon: sends the state as often, and with the fields, that the address asks for. */
function fullStateSocket(robot: Robot, clock: Clock): WebSocketEndpoint {
  return new WebSocketEndpoint({
    clock,
    maxMessageBytes: 1024,
    checkRequest: ({ url }) => void fullStateQuery(url),
    onConnect: ({ request, queue, scope }) => {
      const { frequency, ...query } = fullStateQuery(request.url);
      const send = () => queue.sendNewest("state", JSON.stringify(fullState(robot.state, query)));
      send();
      scope.repeat(clock, 1000 / Math.min(frequency, MAX_HZ), send);
    },
  });
}

/** @throws WorkbenchError `bad-request` */
function fullStateQuery(url = "/") {
  const query = new URLSearchParams(url.split("?").slice(1).join("?"));
  const asked: Record<string, string> = Object.fromEntries(query);
  const given = asked.frequency === undefined ? asked : { ...asked, frequency: Number(asked.frequency) };
  return parseOrThrow(FullStateSocketQuery, given, "query");
}

/** The public daemon's word for how a move ended. */
const ENDINGS: Readonly<Record<string, string>> = {
  finished: "move_completed",
  superseded: "move_cancelled",
  cancelled: "move_cancelled",
};

/** `/api/move/ws/updates` of the public daemon: sends the start and the end of each move. */
function moveUpdatesSocket(robot: Robot, clock: Clock): WebSocketEndpoint {
  const endpoint = new WebSocketEndpoint({ clock, maxMessageBytes: MAX_MESSAGE_BYTES, onConnect: () => {} });
  const unsubscribe = robot.onEvent((event) => {
    const update = updateOf(event);
    if (update === null) return;
    for (const { queue } of endpoint.clients) queue.send(JSON.stringify(update));
  });
  endpoint.scope.add(unsubscribe);
  return endpoint;
}

function updateOf({ kind, message, data }: RobotEvent) {
  const uuid = String(data.id);
  if (kind === "move_started") return { type: "move_started", uuid, details: "" };
  if (kind !== "move_ended") return null;
  const type = ENDINGS[String(data.outcome)] ?? "move_failed";
  return { type, uuid, details: type === "move_failed" ? message : "" };
}

/** `/api/move/ws/set_target` of the public daemon: takes targets, and answers those that are refused. */
function setTargetSocket(robot: Robot, clock: Clock): WebSocketEndpoint {
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

/** `/api/apps/ws/apps-manager/JOB_ID` of the public daemon: sends the lines of a job's log, then the job. */
function jobSocket({ jobs }: Pick<AppHost, "jobs">, clock: Clock): WebSocketEndpoint {
  return new WebSocketEndpoint({
    clock,
    maxMessageBytes: 1024,
    checkRequest: ({ url }) => void jobIdIn(url),
    onConnect: ({ request, queue, scope }) => {
      const id = jobIdIn(request.url);
      let sent = 0;
      const send = () => {
        try {
          const job = jobs.get(id);
          for (const line of job.logs.slice(Math.max(0, job.logs.length - (job.log_lines - sent)))) queue.send(line);
          sent = job.log_lines;
          if (job.status === "pending" || job.status === "in_progress") return;
          queue.send(JSON.stringify(job));
        } catch (error) {
          queue.send(JSON.stringify({ status: "failed", error: problemOf(error).detail }));
        }
        scope.close();
      };
      scope.repeat(clock, JOB_PERIOD_MS, send);
      send();
    },
  });
}

/** @throws WorkbenchError `bad-request` */
function jobIdIn(url = ""): string {
  const encoded = url.split("?", 1)[0]?.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new WorkbenchError("bad-request", `${formatForMessage(encoded)} is not percent-encoded UTF-8.`, { cause });
  }
}
