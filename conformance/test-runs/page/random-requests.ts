import { basename } from "node:path";
import type { BrowserFacts } from "../../evidence/evidence.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { CONNECT_LIMIT, PAGE_LIMIT } from "../limits.ts";
import type { TestRunPlan } from "../test-run-plan.ts";
import { findBrowser, loadBrowserDriver, readConsoleErrors } from "./browser-console.ts";
import { type GeneratedRequest, RequestGenerator, simplerRequests } from "./generate-request.ts";
import { readRoutes } from "./openapi.ts";

const REQUESTS = 60;
const THOROUGH_REQUESTS = 400;
/** Requests that are tried at most to find a simple one that fails. */
const SIMPLER_REQUESTS = 20;
const REQUEST_MS = 3000;
/** Seconds from the answer of the page until its routes must be declared. */
const ROUTES_S = 1.5;

/** Opens its settings page in a browser, then sends random requests to the routes of the page while the app runs. */
export const randomRequests: TestRunPlan = {
  id: "random-requests",
  title: "Settings page in a browser, then random requests",
  needsPage: true,
  seconds: 14,
  prepare: loadBrowserDriver,
  async execute(bed) {
    const run = await bed.start();
    if (await bed.waitForMilestone(run, "running", CONNECT_LIMIT)) {
      const base = `http://127.0.0.1:${bed.options.app.page?.port ?? 0}`;
      await bed.waitFor(PAGE_LIMIT, "the page answers", () => answers(base)).catch(() => null);
      const declared = await waitForRoutes(bed, base);
      const browser = await openInBrowser(bed, base);
      // What it says of a page whose app ends meanwhile is chance.
      bed.facts.browser = run.hasEnded ? { unavailable: "the app ended while its page was opened" } : browser;
      bed.facts.requests = await sendRandomRequests(bed, base, declared, () => run.hasEnded);
      await bed.randomDelay(0.5, 1);
    }
    await bed.stop(run);
  },
};

type DeclaredRoutes = Awaited<ReturnType<typeof readRoutes>>;

const answers = async (base: string): Promise<boolean> =>
  (await fetch(base, { signal: AbortSignal.timeout(REQUEST_MS) }).catch(() => null)) !== null;

/** A browser that is missing or fails says nothing about the page. */
async function openInBrowser(bed: TestBed, url: string): Promise<BrowserFacts> {
  const { host } = bed.options;
  const browser = findBrowser(host.env);
  if (browser === null) return { unavailable: "there is no Chromium on this machine (install it, or set CHROMIUM)" };
  bed.recordAction(`open ${url} in ${basename(browser)}`);
  try {
    return { consoleErrors: await readConsoleErrors(browser, url, host.signal) };
  } catch (error) {
    host.signal.throwIfAborted();
    return { unavailable: `the browser failed: ${(error as Error).message.split("\n")[0]}` };
  }
}

/** The routes of the page. The app declares them in run(), which may take a moment. */
async function waitForRoutes(bed: TestBed, base: string): Promise<DeclaredRoutes> {
  const declared = () => readRoutes(base).then((read) => (read.routes.length > 0 ? read : null));
  const none: DeclaredRoutes = { routes: [], schemas: {} };
  return bed.waitFor(ROUTES_S, "the page declares routes", declared).catch(() => none);
}

async function sendRandomRequests(
  bed: TestBed,
  base: string,
  { routes, schemas }: DeclaredRoutes,
  hasEnded: () => boolean,
) {
  const names = routes.map(({ method, path }) => `${method} ${path}`).join(", ");
  const generator = new RequestGenerator(schemas, bed.random);
  const count = routes.length === 0 ? 0 : bed.options.thoroughness === "thorough" ? THOROUGH_REQUESTS : REQUESTS;
  bed.recordAction(`${count} random requests to ${names || "no routes"}`);
  const failed: string[] = [];
  let sent = 0;
  for (; sent < count && !hasEnded(); sent += 1) {
    const request = generator.request(routes);
    const problem = await problemWith(bed, base, request);
    // Only the first failure is shown, so only it is simplified.
    if (problem !== null) failed.push(failed.length === 0 ? await simplified(bed, base, request, problem) : problem);
  }
  return { sent, failed };
}

/** The problem of the simplest request found that still fails. */
async function simplified(bed: TestBed, base: string, request: GeneratedRequest, problem: string): Promise<string> {
  let simplest = problem;
  let candidates = simplerRequests(request);
  for (let left = SIMPLER_REQUESTS; left > 0; left -= 1) {
    const [candidate, ...others] = candidates;
    if (candidate === undefined) break;
    const same = await problemWith(bed, base, candidate);
    if (same === null) candidates = others;
    else [simplest, candidates] = [same, simplerRequests(candidate)];
  }
  return simplest;
}

/** Sends one request; returns what is wrong with the answer, or null. */
async function problemWith(
  bed: TestBed,
  base: string,
  { method, path, body }: GeneratedRequest,
): Promise<string | null> {
  const { signal } = bed.options.host;
  const name = `${method} ${path}${body ? ` with ${body}` : ""}`;
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      ...(body === null ? {} : { body, headers: { "content-type": "application/json" } }),
    });
    await response.arrayBuffer();
    return response.status >= 500 ? `${name} was answered with ${response.status}` : null;
  } catch (error) {
    signal.throwIfAborted();
    return `${name} was not answered: ${(error as Error).message}`;
  }
}
