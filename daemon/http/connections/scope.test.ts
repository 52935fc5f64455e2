import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { Scope, scopeOf } from "./scope.ts";

test("closing runs each cleanup once, the last added first", () => {
  const scope = new Scope();
  const ran: number[] = [];
  scope.add(() => void ran.push(1));
  const runEarly = scope.add(() => void ran.push(2));
  scope.add(() => void ran.push(3));
  runEarly();
  runEarly();
  scope.close();
  scope.close();
  expect(ran).toEqual([2, 3, 1]);
});

test("a cleanup that is added to a closed scope runs immediately", () => {
  const scope = new Scope();
  scope.close();
  let ran = 0;
  scope.add(() => {
    ran += 1;
  });
  expect(ran).toBe(1);
});

test("timers end with the scope", () => {
  const clock = new ManualClock();
  const scope = new Scope();
  let [once, repeated] = [0, 0];
  scope.after(clock, 10, () => {
    once += 1;
  });
  scope.after(clock, 1000, () => {
    once += 1;
  });
  scope.repeat(clock, 10, () => {
    repeated += 1;
  });
  clock.advance(35);
  expect([once, repeated]).toEqual([1, 3]);
  scope.close();
  scope.repeat(clock, 10, () => {
    repeated += 1;
  });
  clock.advance(2000);
  expect([once, repeated]).toEqual([1, 3]);
});

test("a stream's scope closes with it, and is closed from the start when the stream has closed before", async () => {
  const stream = new PassThrough();
  const scope = scopeOf(stream);
  expect(scope.isClosed).toBe(false);
  stream.destroy();
  await waitFor(DEADLINE_MS, "the scope closes", () => scope.isClosed);
  expect(scopeOf(stream).isClosed).toBe(true);
});
