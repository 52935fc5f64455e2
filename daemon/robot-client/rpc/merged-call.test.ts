import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { MergedCall } from "./merged-call.ts";

const INTERVAL_MS = 2;

/** A call of numbers, of which the newest wins, to a process that answers when the test settles `answers`. */
function createCall(maxUnanswered?: number) {
  const clock = new ManualClock();
  const sent: number[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const send = (value: number) => {
    sent.push(value);
    return new Promise<void>((resolve, reject) => void answers.push({ resolve, reject }));
  };
  const call = new MergedCall<number>(
    send,
    { merge: (_, newer) => newer, intervalMs: INTERVAL_MS, ...(maxUnanswered !== undefined && { maxUnanswered }) },
    clock,
  );
  return { clock, sent, answers, call };
}

test("is sent immediately when the one before was answered, and the interval has passed", async () => {
  const { clock, sent, answers, call } = createCall();
  for (let i = 1; i <= 3; i += 1) {
    void call.start(i);
    expect(sent).toHaveLength(i);
    answers[i - 1]?.resolve();
    await clock.advanceAsync(INTERVAL_MS);
  }
});

test("is merged with the one that waits while there is no answer, and gets the same promise", async () => {
  const { clock, sent, answers, call } = createCall();
  void call.start(0);
  const waiting = new Set(Array.from({ length: 10_000 }, (_, i) => call.start(i + 1)));
  expect(waiting.size).toBe(1);
  await clock.advanceAsync(5000);
  expect(sent).toEqual([0]);
  answers[0]?.resolve();
  await clock.advanceAsync(0);
  expect(sent).toEqual([0, 10_000]);
  answers[1]?.resolve();
  await clock.advanceAsync(5000);
  expect(sent).toHaveLength(2);
});

test("is sent without the answers of those before, up to the maximum, at its interval", async () => {
  const { clock, sent, answers, call } = createCall(3);
  for (let i = 1; i <= 6; i += 1) void call.start(i);
  expect(sent).toEqual([1]);
  await clock.advanceAsync(INTERVAL_MS);
  expect(sent).toEqual([1, 6]);
  for (let i = 7; i <= 9; i += 1) {
    void call.start(i);
    await clock.advanceAsync(10 * INTERVAL_MS);
  }
  expect(sent).toEqual([1, 6, 7]);
  answers[1]?.resolve();
  await clock.advanceAsync(0);
  expect(sent).toEqual([1, 6, 7, 9]);
});

test("however often it is called, it is sent at its interval", async () => {
  const { clock, sent, answers, call } = createCall();
  for (let i = 0; i < 100; i += 1) {
    void call.start(i);
    answers.at(-1)?.resolve();
    await clock.advanceAsync(INTERVAL_MS / 4);
  }
  expect(sent.length).toBeGreaterThan(10);
  expect(sent.length).toBeLessThanOrEqual(26);
});

test("the one that waits is sent at once where another call follows it", () => {
  const { sent, call } = createCall();
  void call.start(1);
  void call.start(2);
  call.flush();
  expect(sent).toEqual([1, 2]);
  call.flush();
  expect(sent).toHaveLength(2);
});

test("an error does not hold the next one up", async () => {
  const { clock, sent, answers, call } = createCall();
  const refused = expect(call.start(1)).rejects.toThrow("the motors are off");
  answers[0]?.reject(new Error("the motors are off"));
  await refused;
  await clock.advanceAsync(INTERVAL_MS);
  void call.start(2);
  expect(sent).toEqual([1, 2]);
});

test("one that waits when the process is lost gets its error, and the next one is sent", async () => {
  const { clock, sent, answers, call } = createCall();
  const lost = new Error("the process has ended");
  const refused = [1, 2].map((value) => expect(call.start(value)).rejects.toThrow(lost));
  answers[0]?.reject(lost);
  await clock.advanceAsync(INTERVAL_MS);
  answers[1]?.reject(lost);
  await Promise.all(refused);
  await clock.advanceAsync(INTERVAL_MS);
  void call.start(3);
  expect(sent).toEqual([1, 2, 3]);
});
