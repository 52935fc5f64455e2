import { expect, test } from "vitest";
import { LatestSender } from "./latest-sender.ts";

function setUp() {
  const sent: { value: number; answer(): void; fail(error: Error): void }[] = [];
  const sender = new LatestSender<number>(
    (value) => new Promise<void>((resolve, reject) => sent.push({ value, answer: resolve, fail: reject })),
  );
  return { sender, sent };
}

test("one value is sent at a time, and only the newest of those that wait", async () => {
  const { sender, sent } = setUp();
  const done = sender.send(1);
  void sender.send(2);
  void sender.send(3);
  expect(sent.map(({ value }) => value)).toEqual([1]);
  sent[0]?.answer();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.value).toBe(3);
  expect(sender.isSending).toBe(true);
  sent[1]?.answer();
  await done;
  expect(sender.isSending).toBe(false);
});

test("a failure rejects, drops what waits, and leaves the sender usable", async () => {
  const { sender, sent } = setUp();
  const done = sender.send(1);
  void sender.send(2);
  sent[0]?.fail(new Error("refused"));
  await expect(done).rejects.toThrow("refused");
  const next = sender.send(3);
  expect(sent.map(({ value }) => value)).toEqual([1, 3]);
  sent[1]?.answer();
  await next;
});
