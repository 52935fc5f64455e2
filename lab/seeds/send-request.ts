import { sleep } from "../../common/time/clock.ts";
import type { Route } from "../../daemon/http/rest/route.ts";
import { problemOf } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import type { System } from "./system.ts";

/** A request of a user to the REST interface. */
export interface RestRequest {
  method: Route["method"];
  /** With its parameters filled in, and without a query. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

type Answer = { value: unknown } | { refusal: { code: string; message: string } };

/** Milliseconds that a request and its answer are on their way at most. */
const DELAY_MS = 5;

/** Codes that every route may answer with. */
const ANYWHERE: readonly string[] = ["robot-not-ready", "deadline-passed", "shutting-down"];

/**
 * Sends a request to the daemon that runs, as the HTTP server does without its own checks, and tells the observer how it was
 * answered. Resolves with null when no daemon answers.
 */
export async function sendRequest(
  system: System,
  { method, path, query = {}, body = {} }: RestRequest,
): Promise<unknown> {
  const { daemon, observer } = system;
  const { clock, random } = system.world;
  await sleep(clock, DELAY_MS * random());
  const http = daemon.http;
  if (http === null || daemon.clock.isDead) return null;
  const { route, params } = routeFor(http.routes, method, path);
  const observed = observer.requestSent(method, path, query);
  const answer = await handle(route, params, query, body);
  if (daemon.clock.isDead) return null;
  await sleep(daemon.clock, DELAY_MS * random());
  if ("value" in answer) {
    observed.accepted();
    return answer.value;
  }
  observed.refused(answer.refusal, [...route.errors, ...ANYWHERE, ...(route.body ? ["bad-request"] : [])]);
  return null;
}

async function handle(route: Route, params: Record<string, string>, query: unknown, body: unknown): Promise<Answer> {
  try {
    const call = {
      params,
      query: route.query && parseOrThrow(route.query, query, "query"),
      body: route.body && parseOrThrow(route.body, body, "body"),
    };
    return { value: await route.handle(call as Parameters<Route["handle"]>[0]) };
  } catch (error) {
    const { code, detail } = problemOf(error);
    return { refusal: { code, message: detail } };
  }
}

function routeFor(routes: readonly Route[], method: string, path: string) {
  const given = path.split("/");
  for (const route of routes) {
    const parts = route.path.split("/");
    const fits = parts.length === given.length && parts.every((part, at) => part.startsWith(":") || part === given[at]);
    if (!fits || route.method !== method) continue;
    const params = parts.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), given[at] ?? ""]] : []));
    return { route, params: Object.fromEntries(params) as Record<string, string> };
  }
  throw new Error(`There is no route ${method} ${path}.`);
}
