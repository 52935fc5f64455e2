import fc from "fast-check";
import { expect, test } from "vitest";
import { SharedExclusiveLock } from "./shared-exclusive-lock.ts";

test("in any order of calls, all work runs, and exclusive work runs alone", async () => {
  const kinds = fc.array(fc.constantFrom("exclusive" as const, "shared" as const), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), kinds, async (scheduler, calls) => {
      const lock = new SharedExclusiveLock();
      const running = new Map<number, "exclusive" | "shared">();
      const ended: number[] = [];
      const work = (kind: "exclusive" | "shared", call: number) => async () => {
        running.set(call, kind);
        if ([...running.values()].includes("exclusive")) expect(running.size).toBe(1);
        await scheduler.schedule(Promise.resolve());
        running.delete(call);
        ended.push(call);
      };
      const all = Promise.all(calls.map((kind, call) => lock[kind](work(kind, call))));
      await scheduler.waitFor(all);
      expect(ended.sort((one, other) => one - other)).toEqual(calls.map((_, call) => call));
    }),
  );
});

test("other work runs after work that fails", async () => {
  const lock = new SharedExclusiveLock();
  const fail = () => Promise.reject(new Error("failed on purpose"));
  const [exclusive, shared, next] = await Promise.allSettled([
    lock.exclusive(fail),
    lock.shared(fail),
    lock.exclusive(async () => "done"),
  ]);
  expect([exclusive.status, shared.status]).toEqual(["rejected", "rejected"]);
  expect(next).toEqual({ status: "fulfilled", value: "done" });
});

test("shared work starts before other shared work ends", async () => {
  const lock = new SharedExclusiveLock();
  let release = () => {};
  const first = lock.shared(() => new Promise<void>((resolve) => (release = resolve)));
  await lock.shared(async () => release());
  await first;
});
