import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import WebSocket from "ws";
import { COMPATIBILITY_ROUTES } from "../../daemon/http/routes/compatibility/compatibility.ts";
import { startTestDaemon } from "../../daemon/http/testing/test-daemon.ts";
import {
  compatibilityPages,
  surfaceCalls,
  THREAD_TAG,
  THREADS,
  UNSUPPORTED_CALLS,
  VERSIONS,
} from "./compatibility-page.ts";

test.each(Object.entries(compatibilityPages()))("%s is what the code says", (page, text) => {
  expect(readFileSync(page, "utf8"), "write it again: node --import tsx lab/ecosystem/write-page.ts").toBe(text);
});

test("the page lists as many calls as were run with each version of the SDK", () => {
  // One more row says whether every public name was called.
  const rows = surfaceCalls().length + 1;
  const others = Object.entries(VERSIONS).filter(
    ([, { ok, notHere, absent, failed }]) => ok + notHere + absent + failed !== rows,
  );
  expect(others, "run npm run ecosystem -- versions, or fix surfaceCalls()").toEqual([]);
});

/** The tags of all scenarios that are threads of users. @param beside a tag that they must have, too */
function threadTags(beside = ""): string[] {
  const files = readdirSync("features", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".feature"),
  );
  const lines = files.flatMap((file) => readFileSync(join("features", file), "utf8").split("\n"));
  const tagLines = lines.filter((line) => /^\s*@/.test(line) && line.includes(beside));
  const tags = tagLines.flatMap((line) => line.trim().split(/\s+/));
  return [...new Set(tags.map((tag) => tag.slice(1)))].filter((tag) => THREAD_TAG.test(tag));
}

test("every thread of the page has a scenario with its tag, or says why not; every tag of a thread is in the page", () => {
  const isHere = Object.entries(THREADS).filter(([, { notHere }]) => notHere === undefined);
  expect(threadTags().sort()).toEqual(isHere.map(([tag]) => tag).sort());
  const reasons = Object.values(THREADS).flatMap(({ notHere }) => notHere ?? []);
  expect(reasons.filter((reason) => !reason.startsWith("not here, because "))).toEqual([]);
});

test("of each thread the page says what the public daemon did, or why its scenario is not run there", () => {
  const isHere = Object.entries(THREADS).filter(([, { notHere }]) => notHere === undefined);
  const tagsWith = (key: "peer" | "notRun") => isHere.filter(([, thread]) => key in thread).map(([tag]) => tag);
  const run = threadTags("@peer").sort();
  expect(tagsWith("peer").sort(), "run npm run ecosystem -- threads").toEqual(run);
  expect(tagsWith("notRun").sort()).toEqual(isHere.flatMap(([tag]) => (run.includes(tag) ? [] : [tag])).sort());
  const verdicts = Object.values(THREADS).flatMap(({ peer }) => peer ?? []);
  expect(verdicts.filter((verdict) => !/^(yes|no: .+)$/.test(verdict))).toEqual([]);
});

test("every reason of a call that is not here belongs to a call", () => {
  expect(Object.keys(UNSUPPORTED_CALLS).filter((name) => !surfaceCalls().includes(name))).toEqual([]);
});

test("every route of the public daemon is here, or answers with what to use instead", async () => {
  const daemon = await startTestDaemon([]);
  try {
    const { paths } = await daemon.json<{ paths: Record<string, Record<string, unknown>> }>("/openapi.json");
    // Parameters have other names here.
    const known = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`),
      ),
    );
    const rest = COMPATIBILITY_ROUTES.filter(({ method }) => method !== "WS");
    const isKnown = ({ method, path }: (typeof rest)[number]) =>
      known.has(`${method} ${path.replace(/\{\w+\}/g, "{}")}`) || path.endsWith("/{source_kind}");
    expect(rest.filter((route) => !isKnown(route))).toEqual([]);
    for (const { method, path, note } of rest.filter(({ here }) => here === "not here")) {
      const answer = await daemon.request(path.replace(/\{\w+\}/g, "x"), { method });
      expect([path, answer.status]).toEqual([path, 501]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: "not-here", detail: expect.stringContaining(note) });
    }
    for (const { path } of COMPATIBILITY_ROUTES.filter(({ method, here }) => method === "WS" && here !== "not here")) {
      const socket = new WebSocket(`${daemon.url.replace("http", "ws")}${path.replace(/\{\w+\}/g, "x")}`);
      await once(socket, "open");
      socket.terminate();
    }
  } finally {
    await daemon.close();
  }
});
