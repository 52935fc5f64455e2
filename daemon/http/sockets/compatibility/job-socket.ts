import type { Clock } from "../../../../common/time/clock.ts";
import { problemOf } from "../../../../robot/wire/errors.ts";
import type { AppHost } from "../../../apps/app-host.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";

const PERIOD_MS = 200;

/** `/api/apps/ws/apps-manager/JOB_ID` of the public daemon: sends the lines of a job's log, then the job. */
export function jobSocket({ jobs }: Pick<AppHost, "jobs">, clock: Clock): WebSocketEndpoint {
  return new WebSocketEndpoint({
    clock,
    maxMessageBytes: 1024,
    onConnect: ({ request, queue, scope }) => {
      const id = decodeURIComponent((request.url ?? "").split("?", 1)[0]?.split("/").at(-1) ?? "");
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
      scope.repeat(clock, PERIOD_MS, send);
      send();
    },
  });
}
