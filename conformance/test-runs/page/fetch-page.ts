import type { PageFacts } from "../../evidence/evidence.ts";
import type { AppUnderTest } from "../../runner/app/app-under-test.ts";
import type { LiveAppRun } from "../../runner/observe/live-app-run.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { PAGE_LIMIT } from "../limits.ts";
import { compareStaticFiles, type PageClient } from "./compare-static-files.ts";
import { brokenReferences } from "./page-references.ts";
import { addressOf, requestPage } from "./request-page.ts";

const REQUEST_MS = 3000;
/** An address of this machine that servers on 127.0.0.1 and ::1 do not listen on: all of 127.0.0.0/8 is loopback on Linux. */
const OTHER_ADDRESS = "127.0.0.2";
/** Milliseconds for the files that a page refers to: one that was not answered by then is broken. */
const REFERENCES_MS = 10_000;
/** Milliseconds for the files of static/. */
const STATIC_FILES_MS = 30_000;

type Page = NonNullable<AppUnderTest["page"]>;

/** Gets an app's page as soon as it answers, then every file of its own origin that it refers to, and those of static/. */
export async function fetchPage(page: Page, run: LiveAppRun, bed: TestBed): Promise<PageFacts> {
  const base = `${addressOf(page)}/`;
  const { answer, availableAfter, html } = await waitForPage(base, run, bed);
  if (availableAfter === null)
    return { answer, availableAfter, appEnded: run.hasEnded, brokenReferences: [], staticFiles: null };
  const folder = bed.options.app.staticFolder;
  const broken = await brokenReferences(html, base, pageClient(run, bed, REFERENCES_MS));
  const staticFiles =
    folder === null ? null : await compareStaticFiles(folder, base, pageClient(run, bed, STATIC_FILES_MS));
  return { answer, availableAfter, appEnded: run.hasEnded, brokenReferences: broken, staticFiles };
}

/** Requests to the page of a run, until it has ended or the time is over. */
function pageClient(run: LiveAppRun, bed: TestBed, timeoutMs: number): PageClient {
  const deadline = AbortSignal.timeout(timeoutMs);
  return {
    get: (url) => request(url, bed, deadline),
    canRetry: () => !deadline.aborted && !run.hasEnded && !bed.options.host.signal.aborted,
  };
}

/** Gets the page at another address of this machine, as a browser elsewhere on the robot's network does. */
export async function fetchAtNetworkAddress(page: Page, run: LiveAppRun, bed: TestBed) {
  const { answer, availableAfter } = await waitForPage(`${addressOf(page, OTHER_ADDRESS)}/`, run, bed);
  return { answer, availableAfter, appEnded: run.hasEnded };
}

function request(url: string, bed: TestBed, deadline?: AbortSignal): Promise<Response> {
  const signals = [bed.options.host.signal, AbortSignal.timeout(REQUEST_MS), ...(deadline ? [deadline] : [])];
  const signal = AbortSignal.any(signals);
  return requestPage(url, { headers: bed.rig.pageHeaders, signal });
}

/** Waits until a page answers; `availableAfter` is null when it does not in time. */
async function waitForPage(base: string, run: LiveAppRun, bed: TestBed) {
  const from = bed.now();
  let last = "nothing listened";
  let html = "";
  const there = await bed
    .waitFor(PAGE_LIMIT, "the page answers", async () => {
      if (run.hasEnded) return true;
      const response = await request(base, bed).catch((error: Error) => {
        last = `no answer (${(error.cause as Error | undefined)?.message ?? error.message})`;
        return null;
      });
      if (response === null) return false;
      html = await response.text();
      const type = response.headers.get("content-type") ?? "nothing";
      last = `${response.status} with ${type}`;
      return response.status === 200 && type.includes("text/html");
    })
    .then(() => !run.hasEnded)
    .catch(() => {
      bed.options.host.signal.throwIfAborted();
      return false;
    });
  return { answer: last, availableAfter: there ? bed.now() - from : null, html };
}
