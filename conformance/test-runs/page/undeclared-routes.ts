import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { WebSocket } from "ws";
import { projectEntriesIn } from "../../../daemon/apps/install/fetch/digest.ts";
import type { RouteSchema } from "./openapi.ts";
import { requestPage } from "./request-page.ts";

/** Files of an app in which routes are named, and the most of their text and of the paths that are tried. */
const TEXTS = /\.(py|js|mjs|html)$/;
const MAX_TEXT = 2_000_000;
const MAX_PATHS = 60;
const METHODS = ["GET", "POST", "PUT", "DELETE"];
/** Answers of a page that has no such route. */
const NO_ROUTE = [404, 405];
/** Milliseconds that a page has for an answer. */
const TIMEOUT_MS = 1500;
/** Milliseconds in which a socket may answer a message. */
const MESSAGE_MS = 100;

/** Texts of an app that could be the path of a route: `"/energy/{percent}"`. */
export async function pathsNamedIn(folder: string): Promise<string[]> {
  const entries = await projectEntriesIn(folder).catch(() => []);
  const files = entries.filter(({ kind, name }) => kind === "file" && TEXTS.test(name));
  const paths = new Set<string>();
  let left = MAX_TEXT;
  for (const { name } of files) {
    const text = (await readFile(join(folder, name), "utf8").catch(() => "")).slice(0, Math.max(left, 0));
    left -= text.length;
    for (const [, path = ""] of text.matchAll(/["'`](\/[\w{}:./-]{1,80})["'`]/g)) paths.add(path);
  }
  return [...paths].filter((path) => !path.startsWith("/.") && !path.startsWith("//"));
}

/**
 * The paths that are tried, in a random order: those of the app's routes, and as many of those that its files name as there
 * is room for. Which ones are left out of too many is chance.
 * @param random from 0 to 1
 */
export function pathsToTry(routes: readonly string[], named: readonly string[], random: () => number): string[] {
  const shuffled = (paths: readonly string[]) =>
    paths
      .map((path) => ({ path, place: random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ path }) => path);
  return [...new Set([...shuffled(routes), ...shuffled(named)])].slice(0, MAX_PATHS);
}

/**
 * Routes that a page answers without declaring them, among the paths that its app names.
 * @param base address of the page, without a slash at the end
 * @param declared those of its document
 */
export async function findUndeclaredRoutes(
  base: string,
  paths: readonly string[],
  declared: readonly RouteSchema[],
  timeoutMs = TIMEOUT_MS,
): Promise<RouteSchema[]> {
  const found: RouteSchema[] = [];
  for (const path of paths.filter((each) => !declared.some((route) => route.path === each)))
    for (const method of METHODS) {
      const status = await statusOf(method, `${base}${path.replace(/\{[^}]*\}/g, "1")}`, timeoutMs);
      if (status === null || NO_ROUTE.includes(status)) continue;
      const names = [...path.matchAll(/\{([^}:]*)[^}]*\}/g)].map(([, name = ""]) => name);
      const parameters = names.map((name) => ({ name, in: "path", schema: { type: "number" } }) as const);
      found.push({ method, path, parameters, body: method === "GET" ? null : { type: "object" } });
    }
  return found;
}

async function statusOf(method: string, url: string, timeoutMs: number): Promise<number | null> {
  const body = method === "GET" || method === "DELETE" ? {} : { body: "{}", headers: JSON_TYPE };
  const response = await requestPage(url, { method, ...body, signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => null,
  );
  await response?.body?.cancel().catch(() => {});
  return response?.status ?? null;
}

const JSON_TYPE = { "content-type": "application/json" };

/** Opens the web sockets among paths and sends messages to each. Returns the paths of those that were opened. */
export async function talkToSockets(
  base: string,
  paths: readonly string[],
  messages: () => readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<string[]> {
  const opened: string[] = [];
  const socketBase = base.replace(/^http/, "ws");
  for (const path of paths) if (await talkTo(`${socketBase}${path}`, messages(), timeoutMs)) opened.push(path);
  return opened;
}

function talkTo(url: string, messages: readonly string[], timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { handshakeTimeout: timeoutMs, rejectUnauthorized: false });
    socket.on("error", () => resolve(false));
    socket.on("open", async () => {
      for (const message of messages) {
        socket.send(message);
        await new Promise((sent) => setTimeout(sent, MESSAGE_MS));
      }
      socket.terminate();
      resolve(true);
    });
  });
}
