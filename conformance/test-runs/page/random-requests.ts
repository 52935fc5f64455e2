import { basename } from "node:path";
import type { BrowserFacts } from "../../evidence/evidence.ts";
import type { LiveAppRun } from "../../runner/observe/live-app-run.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { PAGE_LIMIT } from "../limits.ts";
import type { TestRunPlan } from "../test-run-plan.ts";
import { findBrowser, loadBrowserDriver, readConsoleErrors } from "./browser-console.ts";
import { type GeneratedRequest, RequestGenerator, simplerRequests } from "./generate-request.ts";
import { type DeclaredRoutes, type RouteSchema, readRoutes } from "./openapi.ts";
import { addressOf, requestPage } from "./request-page.ts";

const REQUESTS = 60;
const THOROUGH_REQUESTS = 400;
/** Requests that are tried at most to find a simple one that fails. */
const SIMPLER_REQUESTS = 20;
const REQUEST_MS = 3000;
/** Seconds from the answer of the page until the browser opens it: run() may declare the routes that it requests. */
const SETTLE_S = 1.5;
/** How often the document is read; the last time right before the stop. */
const ROUNDS = 2;
/**
 * Seconds that an app runs until its routes must be declared. Its document is not read before: older versions of FastAPI
 * make it when it is first requested, and leave out the routes that are declared later.
 */
const ROUTES_S = 6;
/** Seconds until a document that cannot be read counts as unread. */
const DOCUMENT_S = 4;

/** Opens its settings page in a browser, then sends random requests to the routes of the page while the app runs. */
export const randomRequests: TestRunPlan = {
  id: "random-requests",
  title: "Settings page in a browser, then random requests",
  needsPage: true,
  seconds: 15,
  prepare: loadBrowserDriver,
  async execute(bed) {
    const run = await bed.start();
    const { page } = bed.options.app;
    if (page !== null && (await bed.waitForMilestone(run, "running"))) {
      const since = bed.now();
      const base = addressOf(page);
      await bed.waitFor(PAGE_LIMIT, "the page answers", () => run.hasEnded || answers(base)).catch(() => null);
      await bed.letRun(run, SETTLE_S);
      const browser = await openInBrowser(bed, base);
      // What it says of a page whose app ends meanwhile is chance.
      bed.facts.browser = run.hasEnded ? { unavailable: "the app ended while its page was opened" } : browser;
      await bed.letRun(run, Math.max(0, since + ROUTES_S - bed.now()));
      await requestAllRoutes(bed, base, run);
    }
    await bed.stop(run);
  },
};

const answers = async (base: string): Promise<boolean> =>
  (await requestPage(base, { signal: AbortSignal.timeout(REQUEST_MS) }).catch(() => null)) !== null;

/** A browser that is missing or fails says nothing about the page. */
async function openInBrowser(bed: TestBed, url: string): Promise<BrowserFacts> {
  const { host } = bed.options;
  const browser = findBrowser(host.env);
  if (browser === null) return { unavailable: "there is no Chromium on this machine (install it, or set CHROMIUM)" };
  bed.recordAction(`open ${url} in ${basename(browser)}`);
  try {
    const { errors, unreachedScripts } = await readConsoleErrors(browser, url, host.signal);
    const [script] = unreachedScripts;
    if (errors.length > 0 && script !== undefined)
      return { unavailable: `the page needs ${script}, which is not reached here; certify with --network` };
    return { consoleErrors: errors };
  } catch (error) {
    host.signal.throwIfAborted();
    return { unavailable: `the browser failed: ${(error as Error).message.split("\n")[0]}` };
  }
}

/** Sends requests to the routes that the page declares, also meanwhile. */
async function requestAllRoutes(bed: TestBed, base: string, run: LiveAppRun): Promise<void> {
  const requested = new Set<string>();
  let [sent, failed]: [number, readonly string[]] = [0, []];
  for (let rounds = ROUNDS; rounds > 0 && !run.hasEnded; rounds -= 1) {
    const declared = await readDocument(bed, base, run);
    const routes = declared.routes.filter((route) => !requested.has(nameOf(route)));
    bed.facts.requests = { sent, failed, document: declared.document };
    if (routes.length === 0 && rounds < ROUNDS) break;
    const results = await sendRandomRequests(bed, base, { ...declared, routes }, () => run.hasEnded);
    for (const route of routes) requested.add(nameOf(route));
    [sent, failed] = [sent + results.sent, [...failed, ...results.failed]];
    bed.facts.requests = { sent, failed, document: declared.document };
    await bed.randomDelay(0.5, 1);
  }
}

const nameOf = ({ method, path }: RouteSchema): string => `${method} ${path}`;

/** Reads the document, again while it cannot be read. */
async function readDocument(bed: TestBed, base: string, run: LiveAppRun): Promise<DeclaredRoutes> {
  let last = await readRoutes(base);
  const isRead = async () => {
    if ("unread" in last.document) last = await readRoutes(base);
    return run.hasEnded || !("unread" in last.document);
  };
  await bed.waitFor(DOCUMENT_S, "the document of the page", isRead).catch(() => {
    bed.options.host.signal.throwIfAborted();
  });
  return last;
}

async function sendRandomRequests(
  bed: TestBed,
  base: string,
  { routes, schemas }: DeclaredRoutes,
  hasEnded: () => boolean,
) {
  const names = routes.map(nameOf).join(", ");
  const generator = new RequestGenerator(schemas, bed.random);
  const count = routes.length === 0 ? 0 : bed.options.thoroughness === "thorough" ? THOROUGH_REQUESTS : REQUESTS;
  bed.recordAction(`${count} random requests to ${names || "no routes"}`);
  const failed: string[] = [];
  let [sent, canRetry] = [0, true];
  for (; sent < count && !hasEnded(); sent += 1) {
    const request = generator.request(routes);
    let problem = await problemWith(bed, base, request);
    if (problem?.isUnanswered && canRetry) {
      // A page that stood still for a moment answers it now.
      canRetry = false;
      problem = await problemWith(bed, base, request);
    }
    // Only the first failure is shown, so only it is simplified.
    if (problem !== null)
      failed.push(failed.length === 0 ? await simplified(bed, base, request, problem.text) : problem.text);
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
    else [simplest, candidates] = [same.text, simplerRequests(candidate)];
  }
  return simplest;
}

/** What is wrong with the answer to a request, as a sentence; `isUnanswered` when there was none. */
interface RequestProblem {
  text: string;
  isUnanswered: boolean;
}

/** Sends one request; returns what is wrong with the answer, or null. */
async function problemWith(
  bed: TestBed,
  base: string,
  { method, path, body }: GeneratedRequest,
): Promise<RequestProblem | null> {
  const { signal } = bed.options.host;
  const name = `${method} ${path}${body ? ` with ${body}` : ""}`;
  try {
    const response = await requestPage(`${base}${path}`, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      ...(body === null ? {} : { body, headers: { "content-type": "application/json" } }),
    });
    await response.arrayBuffer();
    if (response.status < 500) return null;
    return { text: `${name} was answered with ${response.status}`, isUnanswered: false };
  } catch (error) {
    signal.throwIfAborted();
    return { text: `${name} was not answered: ${(error as Error).message}`, isUnanswered: true };
  }
}
