import type { RequestHandler } from "express";
import { distance } from "fastest-levenshtein";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { shown } from "../../robot/wire/shown.ts";
import type { Route } from "./route.ts";

/** The last route: says what nobody answered, and what comes nearest to it. */
export const unknownRoute =
  (routes: readonly Route[]): RequestHandler =>
  (request, response) => {
    const { method, path } = request;
    const here = routes.filter((route) => edits(path, route.path) === 0);
    if (here.length > 0) {
      const allowed = here.flatMap((route) =>
        route.method === "get" ? ["GET", "HEAD"] : [route.method.toUpperCase()],
      );
      response.setHeader("allow", allowed.join(", "));
      const ways = here.map((route) => `${nameOf(route)} (${route.summary})`).join(" or ");
      throw new WorkbenchError("method-not-allowed", `${shown(path)} does not take ${method}. There is ${ways}.`);
    }
    if (path.startsWith("/ws/")) {
      const what = `${shown(path)} is no page: sockets are opened with the WebSocket protocol`;
      throw new WorkbenchError("route-not-found", `${what}, at ws://${request.headers.host}/ws/sdk for programs.`);
    }
    if (path.startsWith("/api/simulation/") && !routes.some((route) => route.path.startsWith("/api/simulation/"))) {
      const what = `${shown(path)} is for a simulated robot, and this daemon drives a real one`;
      throw new WorkbenchError("route-not-found", `${what}: start it with --sim.`);
    }
    const near = nearest(method, path, routes);
    const hint = near === undefined ? "" : ` Did you mean ${nameOf(near)}?`;
    throw new WorkbenchError(
      "route-not-found",
      `${method} ${shown(path)} is not a route of this daemon.${hint} GET /docs shows them all.`,
    );
  };

/** `POST /api/apps/start-app/{name}` */
const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;

/** The route whose path somebody may have meant: less than a third of its letters are others. */
function nearest(method: string, path: string, routes: readonly Route[]): Route | undefined {
  // Longer ones are nobody's slip, and would take their time.
  if (path.length > 200) return undefined;
  const judged = routes.map((route) => ({
    route,
    edits: edits(path, route.path),
    other: route.method.toUpperCase() === method ? 0 : 1,
  }));
  const [best] = judged.sort((a, b) => a.edits - b.edits || a.other - b.other);
  return best !== undefined && best.edits <= best.route.path.length / 3 ? best.route : undefined;
}

/** How many letters to change between a path and a route's; whatever stands for a parameter is right, nothing is not. */
function edits(path: string, pattern: string): number {
  const asked = path.replace(/\/+$/, "").split("/");
  const known = pattern.split("/").map((part, i) => (part.startsWith(":") ? asked[i] || "x" : part));
  return distance(asked.join("/").toLowerCase(), known.join("/").toLowerCase());
}
