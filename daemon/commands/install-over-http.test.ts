import { expect, test } from "vitest";
import { startTestDaemon } from "../http/testing/test-daemon.ts";
import { installOverHttp } from "./install-over-http.ts";

test("a refusal, a failed job and a missing daemon are reported as errors of the registry", async () => {
  const daemon = await startTestDaemon([]);
  const lines: string[] = [];
  const ask = (source: string, url = daemon.url) =>
    installOverHttp({
      url,
      source,
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
      code: "install-failed",
      message: expect.stringContaining("does not answer"),
    });
  } finally {
    await daemon.close();
  }
});
