import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { startTestDaemon } from "../http/testing/test-daemon.ts";
import { installOverHttp } from "./install.ts";

test("a refusal, a failed job and a missing daemon are reported as errors of the registry", async () => {
  const daemon = await startTestDaemon([]);
  const lines: string[] = [];
  const ask = (source: string, url = daemon.url) =>
    installOverHttp({
      url,
      source,
      isolated: false,
      dataDir: "/nowhere",
      onProgress: (line) => lines.push(line),
      onStage: () => {},
      signal: new AbortController().signal,
    });
  try {
    await expect(ask("https://example.com/spaces/a/b")).rejects.toMatchObject({ code: "address-refused" });
    await expect(ask("/no/such/folder")).rejects.toMatchObject({
      code: "app-invalid",
      message: expect.stringContaining("There is no folder /no/such/folder"),
    });
    await expect(ask("/", "http://127.0.0.1:9")).rejects.toMatchObject({
      code: "daemon-unreachable",
      message: expect.stringContaining("does not answer"),
    });
  } finally {
    await daemon.close();
  }
});

const APP = { name: "waver", source_kind: "installed", description: "", url: null, extra: {} };
const job = (status: string, result: unknown = null) => ({
  job_id: "1",
  command: "install",
  status,
  stage: null,
  percent: 0,
  logs: [],
  log_lines: 0,
  result,
  error: null,
  code: null,
});

/** A daemon that answers the requests after the first one as given; null: it closes the connection without an answer. */
async function scriptedDaemon(answers: (object | null)[]) {
  const asked: string[] = [];
  const url = await serveHttp((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = request.url === "/api/apps/install" ? { job_id: "1" } : answers.shift();
    if (answer) response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    else request.socket.destroy();
  });
  const install = (signal = new AbortController().signal) =>
    installOverHttp({
      ...{ url, source: "/app", isolated: false, dataDir: "/nowhere" },
      ...{ onProgress: () => {}, onStage: () => {}, signal },
    });
  return { asked, install };
}

test("a lost answer does not end an install that goes on", async () => {
  const { asked, install } = await scriptedDaemon([job("in_progress"), null, null, job("done", APP)]);
  expect((await install()).name).toBe("waver");
  expect(asked).toHaveLength(5);
});

test("a job that is done without an app is an error, and not followed for ever", async () => {
  const { install } = await scriptedDaemon([job("done")]);
  await expect(install()).rejects.toMatchObject({ code: "install-failed" });
});

test("a cancelled install throws the reason, also when the daemon is gone", async () => {
  const { asked, install } = await scriptedDaemon([null]);
  const why = new Error("Ctrl-C");
  await expect(install(AbortSignal.abort(why))).rejects.toBe(why);
  expect(asked.at(-1)).toBe("POST /api/apps/job-cancel/1");
});
