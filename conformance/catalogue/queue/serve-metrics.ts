import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { rejectOnAbort } from "../../../common/time/reject-on-abort.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { queueName } from "./jobs.ts";
import type { WorkerMetrics } from "./metrics.ts";

/** Milliseconds that Redis has for an answer. */
const ANSWER_MS = 2000;

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves a worker's metrics at `http://127.0.0.1:PORT/metrics`, and as a page at `/`.
 * @param port 0 for a free one
 * @throws WorkbenchError `usage` when the port is taken or not allowed
 */
export async function serveMetrics(
  metrics: WorkerMetrics,
  redis: Redis,
  { port, version }: { port: number; version: string },
): Promise<MetricsServer> {
  const queue = new Queue(queueName(version), { connection: redis });
  queue.on("error", () => {});
  const ask = <T>(question: Promise<T>): Promise<T | null> =>
    rejectOnAbort(question, AbortSignal.timeout(ANSWER_MS)).catch(() => null);
  const answer = async (url: string | undefined, response: ServerResponse): Promise<void> => {
    if (url !== "/metrics" && url !== "/") {
      response.writeHead(404).end();
      return;
    }
    const [jobs, workers] = await Promise.all([ask(queue.getJobCounts()), ask(queue.getWorkersCount())]);
    metrics.setQueue(jobs, workers);
    if (url === "/") response.writeHead(200, { "content-type": "text/html" }).end(await metrics.formatPage());
    else response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(await metrics.format());
  };
  const server = createServer(({ url }, response) => {
    // A client that hangs up, or figures that cannot be formatted, do not end the worker.
    answer(url, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(`The metrics could not be collected: ${error.message}\n`);
    });
  });
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    await queue.close();
    throw cannotListen(port, error as NodeJS.ErrnoException);
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await queue.close();
    },
  };
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): WorkbenchError {
  const why = cause.code === "EADDRINUSE" ? "is taken" : `cannot be used: ${cause.message}`;
  const next = "Choose another with --metrics-port, or 0 for a free one.";
  return new WorkbenchError("usage", `Port ${port} of 127.0.0.1 for the metrics ${why}. ${next}`, { cause });
}
