import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { GIT_ENV } from "./git.ts";

export interface GitRequest {
  /** Folder of all repositories. */
  root: string;
  /** Path of the repository in it, and what is asked of it: `/maker/hello.git/info/refs`. */
  path: string;
  query: string;
  /** Who pushes; null may only fetch. */
  user: string | null;
  /** The `PATH` that git is found by. */
  searchPath: string;
}

/** Lets git itself answer a clone, fetch or push, as a CGI program (git-http-backend(1)). */
export async function answerGit(request: IncomingMessage, response: ServerResponse, what: GitRequest): Promise<void> {
  const child = spawn("git", ["http-backend"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      ...GIT_ENV,
      PATH: what.searchPath,
      GIT_PROJECT_ROOT: what.root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      PATH_INFO: what.path,
      QUERY_STRING: what.query,
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      // Bodies of chunks have no length; git then reads to the end.
      ...(request.headers["content-length"] ? { CONTENT_LENGTH: request.headers["content-length"] } : {}),
      ...(what.user === null ? {} : { REMOTE_USER: what.user, GIT_COMMITTER_NAME: what.user }),
    },
  });
  response.once("close", () => child.kill());
  // Git may answer and leave before it has read everything.
  pipeline(request, child.stdin).catch(() => {});
  await pipeline(withoutHead(child.stdout, response), response);
}

/** Passes the head of a CGI answer (RFC 3875, section 6) on to the response, and yields the rest. */
async function* withoutHead(output: AsyncIterable<Buffer>, response: ServerResponse): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of output) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) continue;
    for (const line of head.toString("latin1", 0, end).split("\r\n")) {
      const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    yield head.subarray(end + 4);
    head = null;
  }
  if (head !== null) response.statusCode = 500;
}
