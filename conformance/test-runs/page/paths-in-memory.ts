import { type FileHandle, open, readFile } from "node:fs/promises";

/** Bytes that are read at a time, and at most from one process; apps with large models hold their routes among the first. */
const PIECE = 4 << 20;
const MOST = 1 << 30;
/** Bytes of the longest pattern that is found. */
const LONGEST = 300;
/** What Starlette compiles a route's path to: `^/energy/(?P<percent>[^/]+)$`, in Python a text that ends with a zero byte. */
const PATTERN = /\^(\/[\x21-\x7e]{1,250})\$\0/g;
const PARAMETER = /\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g;
/** Paths that FastAPI adds by itself. */
const OWN_PATHS = new Set(["/docs", "/docs/oauth2-redirect", "/redoc", "/openapi.json"]);

/**
 * The paths of the routes of a page that Starlette or FastAPI serves, also of those that its document does not name and of
 * web sockets, as `/energy/{percent}`. They are read from the memory of its processes, since an app cannot see that and
 * nothing has to be loaded into it. Empty where that memory may not be read (proc(5)).
 * @param pids of the app's processes
 */
export async function pathsInMemory(pids: readonly number[]): Promise<string[]> {
  const paths = new Set<string>();
  for (const pid of pids) for (const path of await pathsOf(pid).catch(() => [])) paths.add(path);
  return [...paths].sort();
}

async function pathsOf(pid: number): Promise<Set<string>> {
  const areas = areasIn(await readFile(`/proc/${pid}/maps`, "latin1"));
  const memory = await open(`/proc/${pid}/mem`, "r");
  try {
    const paths = new Set<string>();
    let left = MOST;
    for (const { start, end } of areas)
      for (let at = start; at < end && left > 0; at += PIECE) {
        const text = await textAt(memory, at, Math.min(end, at + PIECE + LONGEST));
        for (const [, pattern = ""] of text.matchAll(PATTERN)) {
          const path = pathOf(pattern);
          if (path !== null && !OWN_PATHS.has(path)) paths.add(path);
        }
        left -= text.length;
      }
    return paths;
  } finally {
    await memory.close();
  }
}

/** The areas that a process has for its objects: private, written to, and of no file. */
function areasIn(maps: string): { start: number; end: number }[] {
  const lines = [...maps.matchAll(/^([\da-f]+)-([\da-f]+) rw-p \S+ \S+ 0 *(\[heap\]|\[anon:.*\])?$/gm)];
  return lines.map(([, start = "", end = ""]) => ({
    start: Number.parseInt(start, 16),
    end: Number.parseInt(end, 16),
  }));
}

/** The memory from one address to another as text; empty where it was given back meanwhile. */
async function textAt(memory: FileHandle, start: number, end: number): Promise<string> {
  const buffer = Buffer.alloc(end - start);
  const { bytesRead } = await memory.read(buffer, 0, buffer.length, start).catch(() => ({ bytesRead: 0 }));
  return buffer.toString("latin1", 0, bytesRead);
}

/** The path of a compiled route; null for a pattern that is none. */
function pathOf(pattern: string): string | null {
  const path = pattern.replace(PARAMETER, "{$1}").replace(/\\([^\w])/g, "$1");
  return /^[\w{}:./~!$&'*+,;=@%-]+$/.test(path) ? path : null;
}
