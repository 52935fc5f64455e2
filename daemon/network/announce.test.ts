import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Bonjour } from "bonjour-service";
import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { announce, type Network } from "./announce.ts";

/** mDNS among the programs of this machine only, on a free port. */
async function privateNetwork(): Promise<Network> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return { interface: "127.0.0.1", bind: "224.0.0.251", port };
}

test("network browsers find the robot's name and port, and notice when it is gone", async () => {
  const network = await privateNetwork();
  const finder = new Bonjour(network as object);
  onTestFinished(() => finder.destroy());
  const announced = announce("pebble.lan", 8123, (error) => expect.fail(error.message), network);
  const browser = finder.find({ type: "http" });
  const [found] = await once(browser, "up", { signal: AbortSignal.timeout(DEADLINE_MS) });
  expect(found).toMatchObject({ name: "Robot pebble", host: "pebble.local", port: 8123 });
  const gone = once(browser, "down", { signal: AbortSignal.timeout(DEADLINE_MS) });
  await announced.close();
  expect((await gone)[0]).toMatchObject({ name: "Robot pebble" });
});
