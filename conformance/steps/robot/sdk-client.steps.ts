import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { After } from "@cucumber/cucumber";
import { execa } from "execa";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { REACHY_MINI } from "../../../robot/dialects/dialects.ts";
import { Then, When } from "../support/define-steps.ts";

/** The scenario's client of the SDK socket, and the messages that it has received. */
let client: { socket: WebSocket; received: string[] } | undefined;
const connectedClient = () => client ?? assert.fail("no client of the SDK socket has connected");

After(() => {
  client?.socket.terminate();
  client = undefined;
});

When("the SDK {string} connects and sends a message {string}", async function (version: string, type: string) {
  const headers = { [REACHY_MINI.clientHeader]: version };
  const socket = new WebSocket(`${this.daemon.url.replace("http", "ws")}/ws/sdk`, { headers });
  const received: string[] = [];
  socket.on("message", (data) => received.push(String(data)));
  client = { socket, received };
  await once(socket, "open");
  socket.send(JSON.stringify({ type, head: null }));
});

Then("it receives an error that matches {string}", async (pattern: string) => {
  const errors = () => connectedClient().received.filter((message) => message.startsWith('{"type":"error"'));
  await waitFor(DEADLINE_MS, `an error that matches ${pattern}`, () =>
    errors().some((message) => new RegExp(pattern).test(message)),
  );
});

Then("the daemon's log matches {string}", async function (pattern: string) {
  await waitFor(DEADLINE_MS, `a log that matches ${pattern}`, () => new RegExp(pattern).test(this.daemon.output()));
});

Then("its other messages still move the robot", async function () {
  connectedClient().socket.send(JSON.stringify({ type: "set_antennas", antennas: [0.6, 0] }));
  await waitFor(DEADLINE_MS, "the right antenna is at 0.6 rad", async () => {
    const { antennas_position } = await this.get<{ antennas_position: number[] }>("/api/state/full");
    return Math.abs((antennas_position[0] ?? 0) - 0.6) < 0.1;
  });
});

/** @param modules names of Python modules, separated by ", " */
Then("the import of the SDK loads none of {string}", async function (modules: string) {
  const code = `import sys, ${this.sdkModule}; print([m for m in ${JSON.stringify(modules.split(", "))} if m in sys.modules])`;
  const { stdout } = await execa(join(this.testVenv, "bin/python"), ["-c", code]);
  assert.equal(stdout, "[]");
});
