import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import express from "express";
import { beforeEach, expect, test } from "vitest";
import { Emitter } from "../../../common/emitter.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { AppEvent, LogLine } from "../../../robot/wire/apps/app-events.ts";
import type { AppHost } from "../../apps/app-host.ts";
import { ConnectionLimits, connectionLimitsFor } from "../connections/connection-limits.ts";
import { addRoutes } from "../rest/route.ts";
import { readEvents } from "../testing/read-events.ts";
import { logRoutes } from "./logs.ts";

/** Counts the timers that are set. */
class CountingClock extends ManualClock {
  timers = 0;

  override after(ms: number, callback: () => void): () => void {
    let isSet = true;
    const clear = (): void => {
      if (isSet) this.timers -= 1;
      isSet = false;
    };
    this.timers += 1;
    const cancel = super.after(ms, () => {
      clear();
      callback();
    });
    return () => {
      clear();
      cancel();
    };
  }
}

const line = (text: string, time = 0): LogLine => ({ time, app: "app", from: "stdout", text });

let clock: CountingClock;
let events: Emitter<AppEvent>;
let stored: LogLine[];
/** Reads of stored lines that wait; null answers immediately. */
let waitingReads: (() => void)[] | null;
let readPieces: AppHost["logs"]["readPieces"];
let server: Server;
let connections: ConnectionLimits;
let url: string;
beforeEach(async () => {
  [clock, events, stored, waitingReads] = [new CountingClock(), new Emitter(), [], null];
  readPieces = async function* (_name, _count, _signal, onBegin = () => {}) {
    onBegin();
    if (waitingReads !== null) await new Promise<void>((resolve) => void waitingReads?.push(resolve));
    yield stored;
  };
  const app = express();
  server = createServer(app);
  connections = new ConnectionLimits(connectionLimitsFor(4096).port);
  connections.watch(server);
  const limits = { connections, unread: { add: () => {} }, clock };
  const logs: Pick<AppHost["logs"], "readPieces" | "readRun" | "runs"> = {
    readPieces: (...args) => readPieces(...args),
    readRun: async () => stored,
    runs: async () => [],
  };
  addRoutes(app, logRoutes({ logs, events }, clock), limits);
  url = `${await serveHttp(server)}/api/apps/logs/app?follow=true`;
});

test("a followed log has each line once, also those printed while the stored ones are read", async () => {
  waitingReads = [];
  const opened = readEvents(url);
  await waitFor(DEADLINE_MS, "the stored lines are read", () => waitingReads?.length === 1);
  stored = [line("one"), line("two")];
  for (const text of ["two", "three"]) events.emit({ kind: "log", line: line(text) });
  waitingReads[0]?.();
  const log = await opened;
  events.emit({ kind: "log", line: { ...line("other"), app: "other" } });
  events.emit({ kind: "log", line: line("four") });
  await log.first(({ data }) => data.text === "four");
  expect(log.received.map(({ data }) => data.text)).toEqual(["one", "two", "three", "four"]);
  log.close();
});

test("streams that wait for their turn to read keep no lines meanwhile", async () => {
  let [waiting, begin] = [0, (): void => {}];
  const turn = new Promise<void>((resolve) => {
    begin = resolve;
  });
  readPieces = async function* (_name, _count, _signal, onBegin = () => {}) {
    waiting += 1;
    await turn;
    onBegin();
    yield stored;
  };
  const opened = Array.from({ length: 3 }, () => readEvents(url));
  await waitFor(DEADLINE_MS, "all wait for their turn", () => waiting === 3);
  expect(events.size).toBe(0);
  begin();
  for (const log of await Promise.all(opened)) log.close();
});

test("stored lines that are more than a client can be behind all arrive", async () => {
  stored = Array.from({ length: 1500 }, (_, i) => line("x".repeat(1000), i));
  const log = await readEvents(url);
  await log.first(({ data }) => data.time === 1499);
  expect(log.received).toHaveLength(1500);
  log.close();
});

test("a log stream that is cut at any moment leaves no subscription and no timer", async () => {
  const { port, pathname, search } = new URL(url);
  const follow = () => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    return socket;
  };
  waitingReads = [];
  const early = Array.from({ length: 100 }, follow);
  await waitFor(DEADLINE_MS, "all requests arrive", () => waitingReads?.length === 100);
  for (const socket of early) socket.destroy();
  const countConnections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await waitFor(DEADLINE_MS, "the server sees the cuts", async () => (await countConnections()) === 0);
  for (const answer of waitingReads) answer();

  waitingReads = null;
  const late = Array.from({ length: 100 }, follow);
  await waitFor(DEADLINE_MS, "all streams are open", () => events.size === 1 && clock.timers === 100);
  for (const socket of late) socket.destroy();
  await waitFor(DEADLINE_MS, "everything ends", () => events.size === 0 && clock.timers === 0);
});

test("a log that is not followed is an answer, which has to be read in time, and not a stream", async () => {
  waitingReads = [];
  const answers = ["false", "true"].map((follow) => fetch(url.replace("follow=true", `follow=${follow}`)));
  await waitFor(DEADLINE_MS, "both are read", () => waitingReads?.length === 2);
  expect([...connections.open()].map(({ streams }) => streams).sort()).toEqual([0, 1]);
  for (const answer of waitingReads) answer();
  for (const { body } of await Promise.all(answers)) await body?.cancel();
});
