import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { daemonLog, type LogTarget } from "./log.ts";

/** One line of an app, one warning and one error, as written to a target. */
function written(target: LogTarget): string {
  const stream = new PassThrough();
  const log = daemonLog("info", target, stream);
  log.info({ app: "hello", from: "stdout" }, "wave");
  log.warn("watch out");
  log.error({ err: new Error("broken") }, "a route failed");
  log.debug("details");
  return String(stream.read());
}

test("a pipe gets levels and messages, without time and colour", () => {
  expect(written("pipe")).toMatch(
    /^INFO: \[hello\] wave\nWARN: watch out\nERROR: a route failed\n {4}Error: broken\n {4} {4}at /,
  );
});

test("the journal gets priorities, because it has a time of its own", () => {
  expect(written("journal")).toMatch(
    /^<6>\[hello\] wave\n<4>watch out\n<3>a route failed\n {4}Error: broken\n {4} {4}at /,
  );
});

test("a terminal gets time and colour", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
  expect(written("terminal")).toMatch(/^\[\d\d:\d\d:\d\d\] \u001b\[32mINFO\u001b/);
});
