import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import express, { type ErrorRequestHandler } from "express";
import { ZodError } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type Accounts, LOCAL_ACCOUNTS } from "./accounts.ts";
import type { Shelf } from "./call.ts";
import { Refusal } from "./refusal.ts";
import { fileRoutes } from "./routes/files.ts";
import { gitRoutes } from "./routes/git.ts";
import { listingRoutes } from "./routes/listing.ts";
import { writingRoutes } from "./routes/writing.ts";
import { seed } from "./seed.ts";
import { Spaces } from "./spaces.ts";

export interface HubOptions {
  /** Folder of the repositories. */
  dataDir: string;
  /** 0 takes any free port. */
  port: number;
  /** A folder of spaces to begin with, as `seed` reads it. */
  seed?: string;
  /** Longest page of a list. Default 1000. */
  pageSize?: number;
  /** The `PATH` that git is found by. */
  searchPath: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Told of what breaks inside the hub. */
  onDefect(error: unknown): void;
}

export interface Hub {
  /** `http://127.0.0.1:PORT` */
  url: string;
  accounts: Accounts;
  close(): Promise<void>;
}

/**
 * A hub of spaces for developers and tests, on loopback: git over HTTP and the part of the public hub's JSON interface
 * (https://huggingface.co/docs/hub/api) that listing, reading, making and committing to spaces needs.
 * @throws WorkbenchError `usage` when the port is taken
 */
export async function openHub(options: HubOptions): Promise<Hub> {
  const spaces = new Spaces(path.join(options.dataDir, "spaces"), options.now);
  const accounts = options.seed === undefined ? LOCAL_ACCOUNTS : await seed(spaces, options.seed);
  const shelf: Shelf = { spaces, accounts, pageSize: options.pageSize ?? 1000 };

  const app = express();
  app.disable("x-powered-by").set("etag", false);
  // Git's own requests first: their bodies are for git to read.
  app.use(gitRoutes(shelf, options.searchPath), writingRoutes(shelf), listingRoutes(shelf), fileRoutes(shelf));
  app.use(() => {
    throw new Refusal(404, "Sorry, we can't find the page you are looking for.");
  });
  app.use(refusalHandler(options.onDefect));

  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is taken; choose another with --port" : error.message;
      reject(new WorkbenchError("usage", `The hub cannot listen on port ${options.port}: ${why}.`));
    });
    server.listen(options.port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with `{error}` and the headers that the hub's clients read. */
function refusalHandler(onDefect: HubOptions["onDefect"]): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = refusalOf(error);
    if (refusal === null) onDefect(error);
    const { status, message, code } = refusal ?? new Refusal(500, "Internal Error");
    if (code !== undefined) response.set("x-error-code", code);
    response.status(status).set("x-error-message", JSON.stringify(message)).json({ error: message });
  };
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError || error instanceof SyntaxError) return new Refusal(400, error.message);
  // What express says of a body that is too long, a path that does not decode.
  const status = Number((error as { status?: unknown }).status);
  return status >= 400 && status < 500 ? new Refusal(status, (error as Error).message) : null;
}
