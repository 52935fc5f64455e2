import { deflateSync } from "node:zlib";
import type { Clock } from "../../common/time/clock.ts";
import { type Problem, problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { parseJson } from "../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import type { Camera } from "../camera/camera.ts";
import type { Route } from "../http/rest/route.ts";
import { audioRoutes } from "../http/routes/audio.ts";
import { cameraRoutes } from "../http/routes/camera.ts";
import { mediaRoutes } from "../http/routes/compatibility/media.ts";
import { daemonRoutes } from "../http/routes/daemon.ts";
import { motionRoutes, moveStarter } from "../http/routes/motion.ts";
import { stateRoutes } from "../http/routes/state.ts";
import type { DaemonInfo, MediaLease } from "../http/sockets/sdk/daemon-status.ts";
import type { Robot } from "../robot-client/robot.ts";
import type { TestAudio } from "./test-audio.ts";

type RouteCall = Parameters<Route["handle"]>[0];

interface TestRoutesParts {
  robot: Robot;
  audio: TestAudio;
  camera: Camera;
  clock: Clock;
  media: MediaLease;
  info: DaemonInfo;
  onMoveFailed(error: unknown): void;
}

/** A request of the app to the REST interface. */
export interface HttpRequest {
  method: string;
  /** With the query. */
  path: string;
  /** JSON; empty for none. */
  body: string;
}

/** The answer to it. */
export interface HttpAnswer {
  status: number;
  /** Media type. */
  type: string;
  /** Compressed (zlib), in base64: a picture has 2.8 MB. */
  body: string;
}

/** The fastest level: a third of the default's time, and still a factor of 50 for the flat surfaces of a drawn picture. */
const COMPRESSION = { level: 1 };
const JSON_TYPE = "application/json; charset=utf-8";

const answerOf = (status: number, type: string, body: Uint8Array | string): HttpAnswer => ({
  status,
  type,
  body: deflateSync(body, COMPRESSION).toString("base64"),
});

/** The daemon's routes for state, moves, sound and camera, without those that stop the daemon or never end. */
export function testRoutes(parts: TestRoutesParts): readonly Route[] {
  const { robot, audio, camera, clock, media, info, onMoveFailed } = parts;
  let moves = 0;
  const newId = () => {
    moves += 1;
    return `move-${moves}`;
  };
  const startMove = moveStarter(robot, newId, onMoveFailed);
  return [
    ...daemonRoutes(robot, info, () => {}, media).filter(({ path }) => !/\/(stop|restart)$/.test(path)),
    ...mediaRoutes(audio, media),
    ...stateRoutes(robot),
    ...audioRoutes(audio, info.platform),
    ...cameraRoutes(camera, clock).filter(({ path }) => !path.endsWith("/stream")),
    ...motionRoutes(robot, startMove, (id) => robot.goToSleep(id)),
  ];
}

/** Answers a request without a network, so that the answer depends on the virtual time only. */
export async function callRoute(routes: readonly Route[], request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await call(routes, request);
  } catch (error) {
    const problem: Problem = problemOf(error);
    return answerOf(problem.status, JSON_TYPE, JSON.stringify(problem));
  }
}

/** @throws WorkbenchError `route-not-found` for a route that a robot of a test does not have, and what the route throws */
async function call(routes: readonly Route[], { method, path, body }: HttpRequest): Promise<HttpAnswer> {
  const url = new URL(path, "http://localhost");
  for (const declared of routes) {
    const params = matchPath(declared.path, url.pathname);
    if (params === null || declared.method !== method.toLowerCase()) continue;
    const query = declared.query && parseOrThrow(declared.query, Object.fromEntries(url.searchParams), "query");
    const parsed = declared.body && parseOrThrow(declared.body, body === "" ? {} : parseJson(body, "body"), "body");
    let written: HttpAnswer | undefined;
    let type = JSON_TYPE;
    // What these routes use of a response; none uses the request.
    const response = {
      writeHead: (_status: number, headers: Record<string, string>) => {
        type = headers["content-type"] ?? type;
      },
      end: (bytes: Uint8Array) => {
        written = answerOf(200, type, bytes);
      },
    };
    const result = await declared.handle({ params, query, body: parsed, response } as unknown as RouteCall);
    return written ?? answerOf(200, JSON_TYPE, JSON.stringify(result));
  }
  throw new WorkbenchError(
    "route-not-found",
    `The robot of a test has no ${method} ${url.pathname}: it has the routes for state, moves, sound and camera.`,
  );
}

/** The parameters in a path, by their names in a route's pattern; null when the path does not match it. */
function matchPath(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  const matches =
    wanted.length === given.length && wanted.every((part, at) => part.startsWith(":") || part === given[at]);
  if (!matches) return null;
  const named = wanted.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), given[at] ?? ""] as const] : []));
  return Object.fromEntries(named);
}
