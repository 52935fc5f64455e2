import type { Request, Response } from "express";
import { z } from "zod";
import type { Clock } from "../../../common/time/clock.ts";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
import { AppRun } from "../../../robot/wire/apps/app-run.ts";
import { countIn } from "../../../robot/wire/quantities.ts";
import type { AppHost } from "../../apps/app-host.ts";
import { closeSignalOf } from "../connections/scope.ts";
import { formatSseEvent, openSse, type SseStream } from "../events/sse.ts";
import { SseFanOut } from "../events/sse-fan-out.ts";
import { type Route, routesOf } from "../rest/route.ts";

const { get } = routesOf("apps");

const MAX_LINES = 5000;
/** Lines of an answer that become text at a time. */
const PIECE_LINES = 200;

/** The last millisecond that a date can name. */
const MAX_TIME = 8.64e15;

const LogLines = z.object({
  lines: z.array(
    z.object({ time: z.number(), app: z.string(), from: z.enum(["stdout", "stderr", "daemon"]), text: z.string() }),
  ),
});

/** The part of the app host that has logs. */
interface LogSource {
  logs: Pick<AppHost["logs"], "readPieces" | "readRun" | "runs">;
  events: AppHost["events"];
}

/** Routes for the output of apps. */
export function logRoutes(apps: LogSource, clock: Clock): Route[] {
  const followers = new LogFollowers(apps, clock);
  return [
    get("/api/apps/runs/:name", {
      summary: "The runs of an app that its log still has, the newest first",
      result: z.object({ runs: z.array(AppRun) }),
      errors: ["app-not-found"],
      handle: async ({ params: { name = "" }, response }) => ({
        runs: await apps.logs.runs(name, closeSignalOf(response)),
      }),
    }),
    get("/api/apps/logs/:name", {
      summary: "The last lines of an app's output; with follow=true a stream of `log` events",
      query: z.object({
        lines: countIn(1, MAX_LINES).default(200),
        run: countIn(0, MAX_TIME)
          .optional()
          .describe("Only the run that started then: `started` of /api/apps/runs/{name}"),
        follow: z.stringbool().default(false),
        format: z.enum(["json", "text"]).default("json").describe("text has the lines alone, for a file"),
      }),
      result: LogLines,
      produces: ["text/event-stream", "text/plain"],
      errors: ["app-not-found", "run-not-found"],
      handle: async ({ params: { name = "" }, query, request, response, admitStream }) => {
        if (!query.follow) {
          const signal = closeSignalOf(response);
          const pieces =
            query.run === undefined
              ? apps.logs.readPieces(name, query.lines, signal)
              : inPieces(await apps.logs.readRun(name, query.run, query.lines, signal));
          if (query.format === "json") return toJson(pieces);
          response.type("text/plain");
          return toText(pieces);
        }
        admitStream();
        await followers.follow(name, query.lines, request, response);
        return undefined;
      },
    }),
  ];
}

/** Lines that are in memory already, a few at a time. */
async function* inPieces(lines: readonly LogLine[]): AsyncGenerator<LogLine[]> {
  for (let from = 0; from < lines.length; from += PIECE_LINES) yield lines.slice(from, from + PIECE_LINES);
}

/** The text of `LogLines`. */
async function* toJson(pieces: AsyncIterable<LogLine[]>): AsyncGenerator<string> {
  let before = '{"lines":[';
  for await (const lines of pieces) {
    if (lines.length === 0) continue;
    yield before + lines.map((line) => JSON.stringify(line)).join(",");
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}

async function* toText(pieces: AsyncIterable<LogLine[]>): AsyncGenerator<string> {
  for await (const lines of pieces) yield lines.map(({ text }) => `${text}\n`).join("");
  yield "";
}

/** The streams of each app's lines. */
class LogFollowers {
  readonly #source: LogSource;
  readonly #clock: Clock;
  /** By the app. */
  readonly #streams = new Map<string, SseFanOut>();
  #unsubscribe = (): void => {};

  constructor(source: LogSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * Streams the last lines and all further ones, each line once.
   * @param count stored lines to begin with
   * @throws WorkbenchError `app-not-found` before the stream starts
   */
  async follow(name: string, count: number, request: Request, response: Response): Promise<void> {
    const { logs, events } = this.#source;
    // Lines that are printed while the stored ones are read; the stored ones may end with some of them. Not those before: with
    // hundreds of streams that wait for their turn, each line would be kept hundreds of times.
    const heldBack: LogLine[] = [];
    let stopHolding = (): void => {};
    const hold = (): void => {
      stopHolding = events.on((event) => {
        if (event.kind === "log") heldBack.push(event.line);
      });
    };
    const pieces = logs.readPieces(name, count, closeSignalOf(response), hold);
    const stored: LogLine[] = [];
    // Not through the queue, because together they may be more than a client can be behind.
    const writeEvents = (lines: readonly LogLine[]) =>
      response.write(Buffer.from(lines.map((line) => formatSseEvent("log", line)).join("")));
    try {
      let piece = await pieces.next();
      const stream = openSse(request, response, this.#clock);
      if (stream === null) return;
      for (; piece.done !== true; piece = await pieces.next()) {
        writeEvents(piece.value);
        stored.push(...piece.value);
      }
      const app = stored.at(-1)?.app ?? name;
      const recent = heldBack.filter((line) => line.app === app);
      writeEvents(recent.slice(overlap(stored, recent)));
      this.#add(app, stream);
    } finally {
      stopHolding();
      await pieces.return(undefined); // whatever happened: the next log is read after this one
    }
  }

  /** Sends an app's further lines to a stream until it closes. */
  #add(app: string, stream: SseStream): void {
    if (this.#streams.size === 0)
      this.#unsubscribe = this.#source.events.on((event) => {
        if (event.kind === "log") this.#streams.get(event.line.app)?.send(formatSseEvent("log", event.line));
      });
    const streams = this.#streams.get(app) ?? new SseFanOut(this.#clock);
    this.#streams.set(app, streams);
    streams.add(stream, () => {
      if (streams.size === 0) this.#streams.delete(app);
      if (this.#streams.size === 0) this.#unsubscribe();
    });
  }
}

/** Returns how many lines at the end of `stored` are the first lines of `recent`. */
function overlap(stored: readonly LogLine[], recent: readonly LogLine[]): number {
  const isSame = (a: LogLine | undefined, b: LogLine | undefined) =>
    a?.time === b?.time && a?.from === b?.from && a?.text === b?.text;
  for (let size = Math.min(stored.length, recent.length); size > 0; size -= 1)
    if (recent.slice(0, size).every((line, i) => isSame(line, stored[stored.length - size + i]))) return size;
  return 0;
}
