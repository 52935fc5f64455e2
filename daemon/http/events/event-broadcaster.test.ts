import express from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { EventBroadcaster } from "./event-broadcaster.ts";

let events: EventBroadcaster;
let url: string;

beforeEach(async () => {
  events = new EventBroadcaster(systemClock);
  const app = express();
  app.get("/", (request, response) => events.open(request, response));
  url = await serveHttp(app);
});
afterEach(() => events.close());

const notice = (message: string) => events.send("notice", { level: "warning", message });

/** The messages of the notices that a new client gets, until the one that ends the test. */
async function receiveUntil(last: string): Promise<string[]> {
  const { body } = await fetch(url);
  notice(last);
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes(`${last}"}\n\n`)) break;
  }
  return [...text.matchAll(/"message":"([^"]*)"/g)].map(([, message = ""]) => message);
}

test("notices without a client wait for the first one, at most ten", async () => {
  for (let i = 1; i <= 12; i += 1) notice(`notice ${i}`);
  events.send("startup-app", { startup_app: "not kept" });
  const expected = Array.from({ length: 10 }, (_, i) => `notice ${i + 3}`);
  expect(await receiveUntil("live")).toEqual([...expected, "live"]);
  expect(await receiveUntil("second client")).not.toContain("notice 12");
});

test("faults of the robot wait for the first client, its other events do not", async () => {
  events.send("robot", { kind: "fault", level: "warning", message: "cleared", data: {} });
  events.send("robot", { kind: "phase", level: "info", message: "running", data: {} });
  expect(await receiveUntil("live")).toEqual(["cleared", "live"]);
});

test("a client that joins gets the state of things first, each client its own", async () => {
  let count = 0;
  events.beginWith("notice", () => [{ level: "info", message: `state ${++count}` }]);
  notice("kept");
  expect(await receiveUntil("live")).toEqual(["state 1", "kept", "live"]);
  expect(await receiveUntil("second client")).toEqual(["state 2", "second client"]);
});
