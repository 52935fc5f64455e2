import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Request, type RequestHandler } from "express";
import { z } from "zod";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { looksLike, type ObjectsFrame, objectsOf } from "../../robot/wire/objects-frame.ts";
import { actOf, HandAct, SceneObject } from "../../robot/wire/scene.ts";
import { parseFault } from "../faults/parse.ts";
import type { LocalLink } from "../link/local-link.ts";
import { frameOf } from "./frame.ts";
import { Readers } from "./readers.ts";

const HOST = "127.0.0.1";
/** Milliseconds between two frames, however fast simulated time goes. */
const FRAME_MS = 20;

export interface PageOptions {
  readonly local: LocalLink;
  /** What a driver opens; shown on the page. */
  readonly address: string;
  /** The built page. */
  readonly folder: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

export interface Page {
  readonly url: string;
  /** Shows a sentence on the page. */
  tell(text: string): void;
  close(): Promise<void>;
}

const Push = z.object({
  hand: z.string().default("hand"),
  push: HandAct.nullable(),
  seconds: z.number().default(0.25),
});
const FaultText = z.object({ fault: z.string() });

/**
 * The page that shows the robot, on this machine only, and what it can do to it: push, let something go wrong, reset.
 *
 * - `GET /events`: `robot` (address), `frame` (see `PageFrame`), `objects` (see `ObjectsFrame`; when one has moved) and
 *   `told` (sentences) as server-sent events
 * - `POST /push` `{hand, push: {body, point, force or towards} | null, seconds}`, newtons and metres
 * - `POST /objects` (see `SceneObject`) puts one on the table; `DELETE /objects/NAME` takes it away
 * - `POST /faults` `{fault}` as `--fault` takes it, its times counted from now; `DELETE /faults` ends all of them
 * - `POST /reset`
 *
 * @throws WorkbenchError `usage` when the port is taken
 */
export async function openPage({ local, address, folder, port, now }: PageOptions): Promise<Page> {
  const { link, robot } = local;
  const readers = new Readers();
  let shown: ObjectsFrame = { t: 0, objects: [] };
  const app = express();
  app.disable("x-powered-by");
  app.use(ownOnly, express.json({ limit: "10kb" }));
  app.get("/events", (_request, response) => {
    readers.add(response);
    readers.tell("robot", () => ({ address }));
    readers.tell("frame", () => frameOf(robot));
    readers.tell("objects", () => shown);
  });
  app.post("/push", async (request, response) => {
    const { hand, push, seconds } = read(Push, request);
    await link.push(hand, push && actOf(push), seconds);
    response.sendStatus(204);
  });
  app.post("/faults", (request, response) => {
    robot.beginFault(parseFault(read(FaultText, request).fault));
    response.sendStatus(204);
  });
  app.delete("/faults", (_request, response) => {
    robot.endFaults();
    response.sendStatus(204);
  });
  app.post("/objects", async (request, response) => {
    await link.addObject(read(SceneObject, request));
    response.sendStatus(204);
  });
  app.delete("/objects/:name", async (request, response) => {
    await link.removeObject(request.params.name);
    response.sendStatus(204);
  });
  app.post("/reset", async (_request, response) => {
    await link.reset();
    response.sendStatus(204);
  });
  app.use(express.static(folder), ((error, _request, response, _next) => {
    const { status, detail, code } = problemOf(error);
    response.status(status).json({ code, detail });
  }) satisfies express.ErrorRequestHandler);

  const server = createServer(app);
  await once(server.listen(port, HOST), "listening").catch((error: Error) => {
    throw new WorkbenchError("usage", `The page's port ${port} cannot be had (${error.message}). Try --viewer-port 0.`);
  });
  let last = Number.NEGATIVE_INFINITY;
  const stop = link.onScene((scene) => {
    if (now() - last < FRAME_MS) return;
    last = now();
    readers.tell("frame", () => frameOf(robot));
    const objects = objectsOf(scene);
    if (looksLike(objects, shown)) return;
    shown = objects;
    readers.tell("objects", () => objects);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    tell: (text) => readers.tell("told", () => ({ text })),
    close: async () => {
      stop();
      readers.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Pages of other sites reach this machine too, by its address (Origin tells) or by a rebound name (Host tells). */
const ownOnly: RequestHandler = (request: IncomingMessage, _response, next) => {
  const { host = "", origin } = request.headers;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) {
    throw new WorkbenchError("host-refused", `The Host header is "${host}"; this page answers to localhost.`);
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new WorkbenchError("origin-refused", `A page of ${origin} may not use the simulator; open http://${host}/.`);
  }
  next();
};

/** @throws WorkbenchError `bad-request` naming the field */
function read<T>(schema: z.ZodType<T>, request: Request): T {
  const { data, error } = schema.safeParse(request.body);
  if (data !== undefined) return data;
  throw new WorkbenchError("bad-request", z.prettifyError(error as z.ZodError));
}
