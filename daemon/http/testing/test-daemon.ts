import { symlink } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { createTestVenv } from "../../apps/testing/test-venv.ts";
import { startDaemonInProcess } from "../../testing/daemon-in-process.ts";
import type { Certify } from "../../workshop/workshop-certifications.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface TestDaemon {
  url: string;
  dataDir: string;
  output(): string;
  /** Sends requests that `fetch` refuses: any Host header, any path without normalisation. */
  request(path: string, asked?: RequestOptions): Promise<Answer>;
  /** Returns the JSON response to a request without body. */
  json<T>(path: string, method?: string): Promise<T>;
  close(): Promise<void>;
}

/**
 * Starts the real daemon with a simulated robot on a free loopback port, with apps of `fixtures/apps` that need no SDK.
 * @param options.within where its data folder is made
 * @param options.editable folder with another copy of the app, which is installed from there as editable
 */
export async function startTestDaemon(
  apps: string[],
  {
    within,
    editable,
    ...options
  }: {
    token?: string;
    inertialSensor?: boolean;
    camera?: string;
    within?: string;
    editable?: string;
    workshop?: { folder: string; secret: string; certify?: Certify };
    env?: Readonly<Record<string, string | undefined>>;
  } = {},
): Promise<TestDaemon> {
  const environment = await createTestVenv(within);
  for (const app of apps) await environment.add(app, editable);
  await symlink(environment.venv, join(environment.root, "apps_venv"));
  const daemon = await startDaemonInProcess({
    dataDir: environment.root,
    startupApp: null,
    wakeUpOnStart: false,
    gracePeriod: 60,
    ...options,
  });
  const request = (path: string, requestOptions?: RequestOptions) => send(daemon.url, path, requestOptions);
  return {
    url: daemon.url,
    dataDir: environment.root,
    output: daemon.output,
    request,
    json: async (path, method = "GET") => JSON.parse((await request(path, { method })).text),
    close: async () => {
      await daemon.close();
      await environment.remove();
    },
  };
}

function send(url: string, path: string, { method = "GET", headers = {}, body }: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const request = httpRequest(
      { hostname, port, path, method, headers: { ...length, ...headers }, signal, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
