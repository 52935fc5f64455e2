import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Request, type RequestHandler, type Response } from "express";
import { z } from "zod";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { HandAct, parseHandAct, SceneObject } from "../../robot/wire/scene/hand-act.ts";
import { looksEqual, type ObjectsFrame, objectsFrameOf } from "../../robot/wire/scene/scene-frame.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { parseFault } from "../faults/parse-fault.ts";
import type { LocalLink } from "../link/local-link.ts";
import { frameOf } from "./frame.ts";

const HOST = "127.0.0.1";
/** Milliseconds between two frames, at any speed of simulated time. */
const FRAME_MS = 20;
/** The event for a notice, and its former name. */
const NOTICE_EVENTS = ["notice", "told"];

/** Unsent bytes above which a stream is closed; the client's EventSource reconnects by itself. */
const MAX_BACKLOG_BYTES = 1_000_000;

interface PageOptions {
  readonly local: LocalLink;
  /** What a driver opens; shown on the page. */
  readonly address: string;
  /** The built page. */
  readonly folder: string;
  /** 0 for a free one. */
  readonly port: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

export interface Page {
  readonly url: string;
  /** Shows a notice on the page. */
  report(text: string): void;
  close(): Promise<void>;
}

const PushBody = z.object({
  hand: z.string().default("hand"),
  push: HandAct.nullable(),
  seconds: z.number().default(0.25),
});
const FaultBody = z.object({ fault: z.string() });

/**
 * Serves the page that shows the robot, on this machine only, and its requests: push, faults, objects, reset.
 *
 * - `GET /events`: `robot` (address), `frame` (see `PageFrame`), `objects` (see `ObjectsFrame`; when one has moved) and
 *   `notice` (text for people; also sent under its former name `told`) as server-sent events
 * - `POST /push` `{hand, push: {body, point, force or towards} | null, seconds}`, newtons and metres
 * - `POST /objects` (see `SceneObject`) adds an object; `DELETE /objects/NAME` removes it
 * - `POST /faults` `{fault}` as for `--fault`, its times counted from now; `DELETE /faults` ends all faults
 * - `POST /reset`
 *
 * @throws WorkbenchError `usage` when the port is taken
 */
export async function servePage({ local, address, folder, port, now }: PageOptions): Promise<Page> {
  const { link, robot } = local;
  const streams = new EventStreams();
  let lastObjects: ObjectsFrame = { t: 0, objects: [] };
  const app = express();
  app.disable("x-powered-by");
  app.use(requireLocalPage, express.json({ limit: "10kb" }));
  app.get("/events", (_request, response) => {
    streams.add(response);
    streams.emit("robot", () => ({ address }));
    streams.emit("frame", () => frameOf(robot));
    streams.emit("objects", () => lastObjects);
  });
  const acts: [method: "post" | "delete", path: string, act: (request: Request) => unknown][] = [
    [
      "post",
      "/push",
      ({ body }) => {
        const { hand, push, seconds } = parseOrThrow(PushBody, body, "body");
        return link.push(hand, push && parseHandAct(push), seconds);
      },
    ],
    ["post", "/faults", ({ body }) => robot.addFault(parseFault(parseOrThrow(FaultBody, body, "body").fault))],
    ["delete", "/faults", () => robot.endFaults()],
    ["post", "/objects", ({ body }) => link.addObject(parseOrThrow(SceneObject, body, "body"))],
    ["delete", "/objects/:name", ({ params }) => link.removeObject(String(params.name))],
    ["post", "/reset", () => link.reset()],
  ];
  for (const [method, path, act] of acts)
    app[method](path, async (request, response) => {
      await act(request);
      response.sendStatus(204);
    });
  app.use(express.static(folder), ((error, _request, response, _next) => {
    const { status, detail, code } = problemOf(error);
    response.status(status).json({ code, detail });
  }) satisfies express.ErrorRequestHandler);

  const server = createServer(app);
  await once(server.listen(port, HOST), "listening").catch((error: Error) => {
    throw new WorkbenchError(
      "usage",
      `The page's port ${port} cannot be opened (${error.message}). Use --viewer-port 0 for a free one.`,
    );
  });
  let last = Number.NEGATIVE_INFINITY;
  const stop = link.onScene((scene) => {
    if (now() - last < FRAME_MS) return;
    last = now();
    streams.emit("frame", () => frameOf(robot));
    const objects = objectsFrameOf(scene);
    if (looksEqual(objects, lastObjects)) return;
    lastObjects = objects;
    streams.emit("objects", () => objects);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    report: (text) => {
      for (const name of NOTICE_EVENTS) streams.emit(name, () => ({ text }));
    },
    close: async () => {
      stop();
      streams.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Refuses requests from pages of other sites: by their Origin, and by their Host header after DNS rebinding.
 * @throws WorkbenchError `host-refused` or `origin-refused`
 */
const requireLocalPage: RequestHandler = (request: IncomingMessage, _response, next) => {
  const { host = "", origin } = request.headers;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) {
    throw new WorkbenchError("host-refused", `The Host header is "${host}"; use localhost or 127.0.0.1.`);
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new WorkbenchError("origin-refused", `A page of ${origin} may not use the simulator; open http://${host}/.`);
  }
  next();
};

/** Open streams of server-sent events (HTML standard, section 9.2). */
class EventStreams {
  readonly #open = new Set<Response>();

  add(response: Response): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write("retry: 1000\n\n");
    this.#open.add(response);
    response.on("close", () => this.#open.delete(response));
  }

  /** Sends an event to all streams. `make` is called for the data only when a stream is open. */
  emit(event: string, make: () => unknown): void {
    if (this.#open.size === 0) return;
    const text = `event: ${event}\ndata: ${JSON.stringify(make())}\n\n`;
    for (const response of this.#open) {
      response.write(text);
      if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy();
    }
  }

  close(): void {
    for (const response of this.#open) response.destroy();
  }
}
