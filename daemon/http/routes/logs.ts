import type { Request, Response } from "express";
import { z } from "zod";
import { countIn } from "../../../robot/wire/quantities.ts";
import type { LogLine } from "../../apps/app-events.ts";
import type { AppHost } from "../../apps/app-host.ts";
import { type Route, route } from "../route.ts";
import { openSse, type SseReader, sseText } from "../sse.ts";

const MAX_LINES = 5000;

const LogLines = z.object({
  lines: z.array(
    z.object({ time: z.number(), app: z.string(), from: z.enum(["stdout", "stderr", "daemon"]), text: z.string() }),
  ),
});

/** What each app printed. */
export function logRoutes(apps: AppHost): Route[] {
  return [
    route({
      method: "get",
      path: "/api/apps/logs/:name",
      summary: "The last lines an app printed; with follow=true a stream of `log` events that goes on",
      tag: "apps",
      query: z.object({
        lines: countIn(1, MAX_LINES).default(200),
        follow: z.stringbool().default(false),
      }),
      result: LogLines,
      produces: ["text/event-stream"],
      errors: ["app-not-found"],
      handle: async ({ params: { name = "" }, query, request, response }) => {
        if (!query.follow) return { lines: await apps.logs(name, query.lines) };
        await follow(apps, name, query.lines, request, response);
        return undefined;
      },
    }),
  ];
}

/** Streams the last lines and all that follow, each line once. Rejects with `app-not-found` before it begins. */
async function follow(apps: AppHost, name: string, count: number, request: Request, response: Response): Promise<void> {
  // Lines printed while the kept ones are read wait; some of them are then at the end of the kept ones as well.
  const waiting: LogLine[] = [];
  let take = (line: LogLine): void => void waiting.push(line);
  const unsubscribe = apps.onEvent((event) => {
    if (event.kind === "log") take(event.line);
  });
  const kept = await apps.logs(name, count).catch((error: unknown) => {
    unsubscribe();
    throw error;
  });
  const app = kept.at(-1)?.app ?? name;
  const reader: SseReader | null = openSse(request, response, unsubscribe);
  if (reader === null) return unsubscribe();
  const send = (line: LogLine): void => {
    if (line.app === app) reader.write(sseText("log", line));
  };
  const late = waiting.filter((line) => line.app === app);
  for (const line of [...kept, ...late.slice(overlap(kept, late))]) send(line);
  take = send;
}

/** How many lines at the end of `kept` are the first ones of `late`. */
function overlap(kept: readonly LogLine[], late: readonly LogLine[]): number {
  const isSame = (a: LogLine | undefined, b: LogLine | undefined) =>
    a?.time === b?.time && a?.from === b?.from && a?.text === b?.text;
  for (let size = Math.min(kept.length, late.length); size > 0; size -= 1)
    if (late.slice(0, size).every((line, i) => isSame(line, kept[kept.length - size + i]))) return size;
  return 0;
}
