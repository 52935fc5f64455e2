import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { OutgoingQueue } from "../connections/outgoing-queue.ts";
import { Scope } from "../connections/scope.ts";
import { SseFanOut } from "./sse-fan-out.ts";

/** A stream, with the messages that its connection got. */
function openStream() {
  const messages: unknown[] = [];
  const queue = new OutgoingQueue({
    bufferedBytes: 0,
    send: (message) => void messages.push(message),
    close: (reason) => void messages.push(`closed: ${reason}`),
  });
  return { messages, queue, scope: new Scope() };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("what one turn sends is one message, in order", async () => {
  const streams = [openStream(), openStream()];
  const clock = new ManualClock();
  const fanOut = new SseFanOut(clock);
  for (const stream of streams) fanOut.add(stream);
  for (const text of ["a", "b", "c"]) fanOut.send(text);
  await turn();
  clock.advance(20);
  fanOut.send("d");
  await turn();
  expect(streams.map(({ messages }) => messages)).toEqual([
    ["abc", "d"],
    ["abc", "d"],
  ]);
});

test("a stream gets what is sent from the time when it is added until it closes", async () => {
  const [first, second] = [openStream(), openStream()];
  const clock = new ManualClock();
  const fanOut = new SseFanOut(clock);
  const left: unknown[] = [];
  fanOut.add(first, () => left.push(first));
  fanOut.send("a");
  fanOut.add(second);
  fanOut.send("b");
  await turn();
  first.scope.close();
  fanOut.send("c");
  clock.advance(20);
  expect([first.messages, second.messages, left, fanOut.size]).toEqual([["a", "b"], ["b", "c"], [first], 1]);
});

test("what waits is sent before the streams end", () => {
  const stream = openStream();
  const fanOut = new SseFanOut(new ManualClock());
  fanOut.add(stream);
  fanOut.send("last");
  fanOut.close("the daemon is shutting down");
  expect(stream.messages).toEqual(["last", "closed: the daemon is shutting down"]);
});

test("the first message is sent at once, and what comes within 20 ms of it as one", async () => {
  const clock = new ManualClock();
  const [stream, late] = [openStream(), openStream()];
  const fanOut = new SseFanOut(clock);
  fanOut.add(stream);
  fanOut.send("a");
  await turn();
  for (const text of ["b", "c"]) {
    fanOut.send(text);
    await turn();
  }
  expect(stream.messages).toEqual(["a"]);
  clock.advance(20);
  expect(stream.messages).toEqual(["a", "bc"]);
  fanOut.send("d");
  fanOut.add(late);
  clock.advance(20);
  expect([stream.messages, late.messages]).toEqual([["a", "bc", "d"], []]);
});
