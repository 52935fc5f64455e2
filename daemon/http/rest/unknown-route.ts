import type { RequestHandler } from "express";
import { closestMatch } from "../../../common/closest-match.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { formatForMessage } from "../../../robot/wire/validation/format-for-message.ts";
import type { Route } from "./route.ts";

/** Characters of a path that is compared with the routes; that takes long for a longer one, which nobody has typed. */
const MAX_COMPARED = 300;

/** Answers requests that no route matched: names the allowed methods or the most similar route. */
export const unknownRoute =
  (routes: readonly Route[]): RequestHandler =>
  (request, response) => {
    const { method, path } = request;
    if (path.length > MAX_COMPARED)
      throw new WorkbenchError(
        "route-not-found",
        `${method} ${formatForMessage(path)} is not a route of this daemon. GET /docs lists all routes.`,
      );
    const samePath = routes.filter(
      (route) => fillParameters(route.path, path).toLowerCase() === trimSlashes(path).toLowerCase(),
    );
    if (samePath.length > 0) {
      const allowed = samePath.flatMap((route) =>
        route.method === "get" ? ["GET", "HEAD"] : [route.method.toUpperCase()],
      );
      response.setHeader("allow", allowed.join(", "));
      const alternatives = samePath.map((route) => `${formatRoute(route)} (${route.summary})`).join(" or ");
      throw new WorkbenchError(
        "method-not-allowed",
        `${formatForMessage(path)} does not accept ${method}. There is ${alternatives}.`,
      );
    }
    if (path.startsWith("/ws/")) {
      const what = `${formatForMessage(path)} is a WebSocket, not a page: open it with the WebSocket protocol`;
      throw new WorkbenchError("route-not-found", `${what}, at ws://${request.headers.host}/ws/sdk for programs.`);
    }
    if (path.startsWith("/api/simulation/") && !routes.some((route) => route.path.startsWith("/api/simulation/"))) {
      const what = `${formatForMessage(path)} needs a simulated robot, and this daemon drives a physical one`;
      throw new WorkbenchError("route-not-found", `${what}: start it with --sim.`);
    }
    const closest = closestRoute(method, path, routes);
    const hint = closest === undefined ? "" : ` Did you mean ${formatRoute(closest)}?`;
    throw new WorkbenchError(
      "route-not-found",
      `${method} ${formatForMessage(path)} is not a route of this daemon.${hint} GET /docs lists all routes.`,
    );
  };

/** `POST /api/apps/start-app/{name}` */
const formatRoute = ({ method, path }: Route): string => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;

/** Returns the most similar route; of several that are equally similar, one with the requested method. */
function closestRoute(method: string, path: string, routes: readonly Route[]): Route | undefined {
  const hasMethod = (route: Route): boolean => route.method.toUpperCase() === method;
  const ordered = [...routes.filter(hasMethod), ...routes.filter((route) => !hasMethod(route))];
  const closest = closestMatch(
    trimSlashes(path),
    ordered.map((route) => fillParameters(route.path, path)),
  );
  return ordered.find((route) => fillParameters(route.path, path) === closest);
}

/** Fills the parameters of a route's path with the segments of the requested path, or with `x` where they are missing. */
function fillParameters(route: string, requested: string): string {
  const segments = trimSlashes(requested).split("/");
  return trimSlashes(route)
    .split("/")
    .map((part, index) => (part.startsWith(":") ? segments[index] || "x" : part))
    .join("/");
}

const trimSlashes = (path: string): string => path.replace(/\/+$/, "");
