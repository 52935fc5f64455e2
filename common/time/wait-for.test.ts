import { expect, test } from "vitest";
import { waitFor } from "./wait-for.ts";

test("the value of the condition is returned as soon as it holds", async () => {
  const values = [undefined, null, false, 0];
  expect(await waitFor(10_000, "a value", () => values.shift())).toBe(0);
});

test("a condition that throws does not hold yet", async () => {
  let tries = 0;
  const condition = () => {
    tries += 1;
    if (tries < 3) throw new Error("too early");
    return "late enough";
  };
  expect(await waitFor(10_000, "the third try", condition)).toBe("late enough");
});

test("the deadline's error has the condition in words and its last error", async () => {
  const condition = () => {
    throw new Error("the port is closed");
  };
  await expect(waitFor(1, "an open port", condition)).rejects.toThrow(
    "not within 1 ms: an open port: the port is closed",
  );
});

test("what came while the process stood still beyond the deadline is seen", async () => {
  let came = false;
  setTimeout(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    setImmediate(() => {
      came = true;
    });
  }, 1);
  expect(await waitFor(50, "what came", () => came)).toBe(true);
});

test("the signal cancels the wait", async () => {
  const cancelled = waitFor(10_000, "nothing", () => false, AbortSignal.abort(new Error("stopped")));
  await expect(cancelled).rejects.toThrow("stopped");
});
