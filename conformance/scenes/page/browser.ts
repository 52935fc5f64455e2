import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import WebSocket from "ws";
import { z } from "zod";
import { within } from "../../runner/waiting.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Milliseconds until the browser listens, until a page is loaded, and for what its scripts do right afterwards. */
const START_MS = 15_000;
const LOAD_MS = 8000;
const AFTER_MS = 700;

/** An installed Chromium, or null. `CHROMIUM` names another. */
export function findBrowser(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.CHROMIUM) return env.CHROMIUM;
  const folders = (env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** Messages of the DevTools protocol that tell of something wrong (https://chromedevtools.github.io/devtools-protocol). */
const Told = z.object({
  id: z.int().optional(),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
const Thrown = z.object({
  exceptionDetails: z.object({
    text: z.string(),
    exception: z.looseObject({ description: z.string().optional() }).optional(),
  }),
});
const Called = z.object({
  type: z.string(),
  args: z.array(z.looseObject({ value: z.unknown(), description: z.string().optional() })),
});
const Logged = z.object({ entry: z.object({ level: z.string(), text: z.string(), url: z.string().optional() }) });

/**
 * Opens a page in a browser of its own and returns the errors on its console.
 * @param profile a folder for the browser's files
 * @throws Error when the browser does not do its part; the signal's reason
 */
export async function consoleErrors(
  browser: string,
  url: string,
  profile: string,
  signal: AbortSignal,
): Promise<string[]> {
  const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"];
  const child = spawn(browser, [...options, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  child.once("error", (error) => {
    said += error.message;
  });
  let socket: WebSocket | undefined;
  try {
    const address = await within(START_MS, "the browser listens", () => /ws:\/\/\S+/.exec(said)?.[0], signal);
    socket = new WebSocket(address);
    return await visit(socket, url, signal);
  } finally {
    socket?.terminate();
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // It never came up, or has ended.
    }
  }
}

async function visit(socket: WebSocket, url: string, signal: AbortSignal): Promise<string[]> {
  const errors: string[] = [];
  const answers = new Map<number, Record<string, unknown>>();
  let loaded = false;
  socket.on("error", () => {});
  socket.on("message", (data) => {
    const { id, method, result = {}, params = {} } = Told.parse(JSON.parse(String(data)));
    if (id !== undefined) answers.set(id, result);
    if (method === "Page.loadEventFired") loaded = true;
    errors.push(...errorIn(method, params));
  });
  await within(START_MS, "the browser answers", () => socket.readyState === WebSocket.OPEN, signal);
  let last = 0;
  let session: string | undefined;
  const ask = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    last += 1;
    const id = last;
    socket.send(JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) }));
    return within(LOAD_MS, `the browser answers ${method}`, () => answers.get(id), signal);
  };
  const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
  session = String(sessionId);
  for (const domain of ["Page", "Runtime", "Log"]) await ask(`${domain}.enable`);
  loaded = false;
  await ask("Page.navigate", { url });
  await within(LOAD_MS, "the page is loaded", () => loaded, signal);
  const end = performance.now() + AFTER_MS;
  await within(2 * AFTER_MS, "its scripts have run", () => performance.now() > end, signal);
  return errors;
}

function errorIn(method: string | undefined, params: unknown): string[] {
  if (method === "Runtime.exceptionThrown") {
    const { text, exception } = Thrown.parse(params).exceptionDetails;
    return [exception?.description?.split("\n")[0] ?? text];
  }
  if (method === "Runtime.consoleAPICalled") {
    const { type, args } = Called.parse(params);
    return type === "error" ? [args.map(({ value, description }) => String(value ?? description)).join(" ")] : [];
  }
  if (method === "Log.entryAdded") {
    const { level, text, url } = Logged.parse(params).entry;
    // Every browser asks for it, and no page has to have it.
    return level === "error" && !url?.endsWith("/favicon.ico") ? [`${text} ${url ?? ""}`.trim()] : [];
  }
  return [];
}
