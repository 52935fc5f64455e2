import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedQueue, SharedBudget, TurnBudget } from "./bounded.ts";

test("queues hold what fits their own bounds and the shared ones, in order, and give everything back", () => {
  const limits = { pieces: 4, bytes: 10 };
  const sum = { pieces: 6, bytes: 15 };
  const step = fc.record({
    queue: fc.nat(2),
    do: fc.constantFrom("push", "push", "shift", "takeAll"),
    bytes: fc.nat(8),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const shared = new SharedBudget(sum);
      const queues = Array.from({ length: 3 }, () => new BoundedQueue<number>(limits, shared));
      const model: { item: number; bytes: number }[][] = [[], [], []];
      const bytesOf = (items: readonly { bytes: number }[]) => items.reduce((total, { bytes }) => total + bytes, 0);
      for (const [item, { queue: at, do: what, bytes }] of steps.entries()) {
        const [queue, held] = [queues[at], model[at]];
        if (queue === undefined || held === undefined) continue;
        if (what === "push") {
          const all = model.flat();
          const fits =
            held.length < limits.pieces &&
            bytesOf(held) + bytes <= limits.bytes &&
            all.length < sum.pieces &&
            bytesOf(all) + bytes <= sum.bytes;
          expect(queue.push(item, bytes)).toBe(fits);
          if (fits) held.push({ item, bytes });
        } else if (what === "shift") expect(queue.shift()).toBe(held.shift()?.item);
        else expect(queue.takeAll()).toEqual(held.splice(0).map((each) => each.item));
        expect([queue.length, shared.bytes]).toEqual([held.length, bytesOf(model.flat())]);
      }
      for (const queue of queues) queue.takeAll();
      expect(shared.bytes).toBe(0);
    }),
  );
});

test("a turn does as much work as its budget, whoever asks, and all that wait come in turn", async () => {
  const budget = new TurnBudget(10);
  const done: string[] = [];
  const work = (name: string, pieces: number): void => {
    if (pieces === 0) return;
    const step = () => {
      done.push(name);
      work(name, pieces - 1);
    };
    if (budget.take(2)) step();
    else budget.whenTaken(2, step);
  };
  work("a", 12);
  work("b", 12);
  work("c", 2);
  const ofTurns = [done.length];
  while (done.length < 26) {
    const before = done.length;
    await new Promise((resolve) => setImmediate(resolve));
    ofTurns.push(done.length - before);
  }
  expect(ofTurns.slice(0, -1).every((count) => count <= 5)).toBe(true);
  expect(done.indexOf("c")).toBeLessThan(8);
});

test("work that is larger than the budget has a turn of its own", () => {
  const budget = new TurnBudget(10);
  expect([budget.take(25), budget.take(1)]).toEqual([true, false]);
});
