import { symlink } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { startDaemonInProcess } from "../../../conformance/runner/daemon-in-process.ts";
import { handmadeVenv } from "../../apps/testing/handmade-venv.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface TestDaemon {
  url: string;
  output(): string;
  /** Sends what `fetch` would not: any Host, any path as it is written. */
  ask(path: string, asked?: Asked): Promise<Answer>;
  /** The JSON body of a GET, or of a POST without body. */
  json<T>(path: string, method?: string): Promise<T>;
  close(): Promise<void>;
}

/** The real daemon with a simulated robot on a free port of loopback, with apps of `fixtures/apps` that need no SDK. */
export async function startTestDaemon(apps: string[], wish: { token?: string } = {}): Promise<TestDaemon> {
  const environment = await handmadeVenv();
  for (const app of apps) await environment.add(app);
  await symlink(environment.venv, join(environment.root, "apps_venv"));
  const daemon = await startDaemonInProcess({
    dataDir: environment.root,
    startupApp: null,
    wakeUpOnStart: false,
    gracePeriod: 1,
    ...wish,
  });
  const ask = (path: string, asked?: Asked) => send(daemon.url, path, asked);
  return {
    url: daemon.url,
    output: daemon.output,
    ask,
    json: async (path, method = "GET") => JSON.parse((await ask(path, { method })).text),
    close: async () => {
      await daemon.close();
      await environment.remove();
    },
  };
}

function send(url: string, path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const signal = AbortSignal.timeout(20_000);
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
