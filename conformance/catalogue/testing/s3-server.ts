import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { waitFor } from "../../../common/time/wait-for.ts";

const PROGRAM = join(PACKAGE_FOLDER, ".venv/bin/moto_server");
const PYTHON = join(PACKAGE_FOLDER, ".venv/bin/python");
/** moto's own program answers in threads, and then two conditional writes at the same time both succeed; those of S3 do not. */
const SERVE_ONE_BY_ONE = `
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=False)
`;
const START_MS = 30_000;

/** Whether the tests' Python environment has the server. */
export const hasS3Server = (): boolean => existsSync(PROGRAM);

/** An S3-compatible server of a test's own, on a loopback port, with one bucket in memory. */
export interface TestS3 {
  endpoint: string;
  bucket: string;
  close(): Promise<void>;
}

/** @throws Error when it does not start */
export async function startS3Server(): Promise<TestS3> {
  const child = spawn(PYTHON, ["-c", SERVE_ONE_BY_ONE], { stdio: ["ignore", "pipe", "pipe"] });
  const exit = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exit;
  };
  try {
    const address = () => /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1] ?? null;
    const endpoint = await waitFor(START_MS, "the S3 server listens", address);
    const made = await fetch(`${endpoint}/verdicts`, { method: "PUT", signal: AbortSignal.timeout(START_MS) });
    if (!made.ok) throw new Error(`the S3 server made no bucket: ${made.status}`);
    return { endpoint, bucket: "verdicts", close };
  } catch (error) {
    await close();
    throw error;
  }
}
