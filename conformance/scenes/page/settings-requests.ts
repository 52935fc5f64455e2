import { basename, join } from "node:path";
import { z } from "zod";
import type { Stage } from "../../runner/stage.ts";
import type { ScenePlan } from "../scene-plan.ts";
import { CONNECT_LIMIT } from "../stops.ts";
import { consoleErrors, findBrowser } from "./browser.ts";
import { PAGE_LIMIT } from "./fetch-page.ts";

const REQUESTS = 60;
const THOROUGH_REQUESTS = 400;
const REQUEST_MS = 3000;

/** What FastAPI tells of its routes; OpenAPI 3.1. */
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const METHODS = ["get", "post", "put", "patch", "delete"];

/** Values that authors do not think of, and some that they do. */
const VALUES = [
  "0",
  "1",
  "-1",
  "50",
  "100",
  "1e308",
  "-0",
  "NaN",
  "abc",
  "true",
  "",
  " ",
  "é",
  "%2e%2e",
  "9".repeat(40),
];
const BODIES = ["{}", "[]", "null", '"text"', "0", "{", '{"value": 1e308}', '{"a": {"b": [1, null]}}', ""];

/** Looks at its settings page in a browser, and asks the page's routes for all sorts of things while it moves. */
export const settingsRequests: ScenePlan = {
  id: "settings-requests",
  title: "Its settings page in a browser, and random requests to it",
  needsPage: true,
  async play(stage) {
    const run = await stage.start();
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) {
      const base = `http://127.0.0.1:${stage.options.app.page?.port ?? 0}`;
      const routes = await routesOf(stage, base);
      stage.facts.console = await shownInBrowser(stage, base);
      const failed: string[] = [];
      const count = routes.length === 0 ? 0 : stage.options.thorough ? THOROUGH_REQUESTS : REQUESTS;
      stage.act(`${count} random requests to ${routes.join(", ") || "no routes"}`);
      for (let sent = 0; sent < count && !run.isOver; sent += 1) {
        const problem = await ask(stage, base, routes);
        if (problem !== null) failed.push(problem);
      }
      stage.facts.requests = { sent: count, failed };
      await stage.moment(0.5, 1);
    }
    await stage.stop(run);
  },
};

/** Null where there is no browser, or it fails: that says nothing about the page. */
async function shownInBrowser(stage: Stage, url: string): Promise<string[] | null> {
  const { host, folder } = stage.options;
  const browser = findBrowser(host.env);
  if (browser === null) return null;
  stage.act(`look at ${url} in ${basename(browser)}`);
  return consoleErrors(browser, url, join(folder, "browser"), host.signal).catch((error: Error) => {
    host.signal.throwIfAborted();
    stage.act(`the browser failed: ${error.message}`);
    return null;
  });
}

/** `GET /energy` and the like, once the app has declared them. */
async function routesOf(stage: Stage, base: string): Promise<string[]> {
  const read = async () => {
    const response = await fetch(`${base}/openapi.json`, { signal: AbortSignal.timeout(REQUEST_MS) });
    const { paths } = Document.parse(await response.json());
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) => (METHODS.includes(method) ? [`${method.toUpperCase()} ${path}`] : [])),
    );
  };
  await stage.until(PAGE_LIMIT, "the page is there", () => read().catch(() => null)).catch(() => null);
  // Routes are declared in run(), which may take a moment.
  await stage.moment(1, 1);
  return read().catch(() => []);
}

/** What went wrong; null when nothing did. */
async function ask(stage: Stage, base: string, routes: readonly string[]): Promise<string | null> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(stage.random() * list.length)] as T;
  const [method = "GET", route = "/"] = pick(routes).split(" ");
  const path = route.replace(/\{[^}]*\}/g, () => encodeURIComponent(pick(VALUES)) || "%20");
  const query = stage.random() < 0.3 ? `?value=${encodeURIComponent(pick(VALUES))}` : "";
  const body = method === "GET" ? null : pick(BODIES);
  const request = `${method} ${path}${query}`;
  try {
    const response = await fetch(`${base}${path}${query}`, {
      method,
      signal: AbortSignal.any([stage.options.host.signal, AbortSignal.timeout(REQUEST_MS)]),
      ...(body === null ? {} : { body, headers: { "content-type": "application/json" } }),
    });
    await response.arrayBuffer();
    return response.status >= 500 ? `${request} was answered with ${response.status}` : null;
  } catch (error) {
    stage.options.host.signal.throwIfAborted();
    return `${request} was not answered: ${(error as Error).message}`;
  }
}
