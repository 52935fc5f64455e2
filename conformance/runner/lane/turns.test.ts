import fc from "fast-check";
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("in any order of calls, all work runs, and work that must run alone runs alone", async () => {
  const kinds = fc.array(fc.constantFrom("alone" as const, "beside" as const), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), kinds, async (scheduler, calls) => {
      const turns = new Turns();
      const running = new Map<number, "alone" | "beside">();
      const ended: number[] = [];
      const work = (kind: "alone" | "beside", call: number) => async () => {
        running.set(call, kind);
        if ([...running.values()].includes("alone")) expect(running.size).toBe(1);
        await scheduler.schedule(Promise.resolve());
        running.delete(call);
        ended.push(call);
      };
      const all = Promise.all(calls.map((kind, call) => turns[kind](work(kind, call))));
      await scheduler.waitFor(all);
      expect(ended.sort((one, other) => one - other)).toEqual(calls.map((_, call) => call));
    }),
  );
});

test("other work runs after work that fails", async () => {
  const turns = new Turns();
  const fail = () => Promise.reject(new Error("failed on purpose"));
  const [alone, beside, next] = await Promise.allSettled([
    turns.alone(fail),
    turns.beside(fail),
    turns.alone(async () => "done"),
  ]);
  expect([alone.status, beside.status]).toEqual(["rejected", "rejected"]);
  expect(next).toEqual({ status: "fulfilled", value: "done" });
});

test("work beside other work starts before the other ends", async () => {
  const turns = new Turns();
  let release = () => {};
  const first = turns.beside(() => new Promise<void>((resolve) => (release = resolve)));
  await turns.beside(async () => release());
  await first;
});
