import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { DaemonClient } from "../../../robot/rest/daemon-client.ts";
import { startFakeDaemon } from "../testing/fake-daemon.ts";
import { followEvents } from "./follow-events.ts";

/** A subscription to the events of a fake daemon. */
async function subscribe() {
  const daemon = await startFakeDaemon();
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const clock = new ManualClock();
  const events: unknown[] = [];
  const said: string[] = [];
  const { lost } = await followEvents({
    client: new DaemonClient({ url: daemon.url, token: "" }),
    onEvent: (name, data) => events.push([name, data]),
    clock,
    signal: abort.signal,
    say: (line) => said.push(line),
  });
  const [first] = daemon.streams;
  const closeStream = () => void first?.end();
  const isClosed = () => waitFor(DEADLINE_MS, "the end is noticed", () => said.length > 0);
  return { daemon, abort, clock, events, said, lost, closeStream, isClosed };
}

test("a stream that the daemon closes is opened again, and its events arrive", async () => {
  const { daemon, clock, events, said, closeStream, isClosed } = await subscribe();
  closeStream();
  await isClosed();
  const [second] = await waitFor(DEADLINE_MS, "a second stream", () => {
    clock.advance(1000);
    return said.length === 2 && [...daemon.streams];
  });
  second?.write("event: slot\ndata: null\n\n");
  await waitFor(DEADLINE_MS, "its event", () => events.length > 0);
  expect(events).toEqual([["slot", null]]);
  expect(said).toEqual([expect.stringContaining("reconnecting"), expect.stringContaining("connected")]);
});

test("a daemon that does not come back is reported with its last answer", async () => {
  const { daemon, clock, lost, closeStream, isClosed } = await subscribe();
  daemon.refusesEvents = true;
  let error: unknown;
  lost.catch((reason) => {
    error = reason;
  });
  closeStream();
  await isClosed();
  await waitFor(DEADLINE_MS, "it gives up", () => {
    clock.advance(1000);
    return error !== undefined;
  });
  expect(error).toMatchObject({ code: "shutting-down", message: "/api/events" });
});

test("nothing reconnects after the signal aborts", async () => {
  const { abort, said, lost } = await subscribe();
  abort.abort();
  await expect(lost).rejects.toBe(abort.signal.reason);
  expect(said).toEqual([]);
});
