import fc from "fast-check";
import { expect, test } from "vitest";
import { startTestDaemon } from "../http/testing/test-daemon.ts";
import { installOverHttp, linesAdded } from "./install-over-http.ts";

test("every line of a log that keeps its last lines only is reported once", () => {
  const limit = 5;
  const batchLists = fc.array(fc.array(fc.integer(), { maxLength: limit }), { maxLength: 8 });
  fc.assert(
    fc.property(batchLists, (batches) => {
      let count = 0;
      let log: string[] = [];
      const reported: string[] = [];
      for (const batch of batches) {
        const before = log;
        // Lines differ, as those of a tool with its paths and figures do.
        log = [...log, ...batch.map((line) => `${count++}: ${line}`)].slice(-limit);
        reported.push(...linesAdded(before, log));
      }
      expect(reported.map((line) => Number.parseInt(line, 10))).toEqual(
        Array.from({ length: count }, (_, index) => index),
      );
    }),
  );
});

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
