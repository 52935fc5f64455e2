import fc from "fast-check";
import { expect, test } from "vitest";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { Restarter } from "./restarter.ts";

/** A restarter whose restarts end when the test says so. */
function manualRestarter(refused: readonly string[] = []) {
  const clock = new ManualClock();
  const batches: string[][] = [];
  const open: (() => void)[] = [];
  const failures: unknown[] = [];
  const restarter = new Restarter({
    clock,
    canRun: async (files) => {
      batches.push([...files]);
      return !files.some((file) => refused.includes(file));
    },
    restart: () => new Promise<void>((resolve) => open.push(resolve)),
    onFailed: (error) => failures.push(error),
  });
  const settle = async () => {
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
  };
  const endOne = async () => {
    open.shift()?.();
    await settle();
  };
  return { clock, batches, open, failures, restarter, settle, endOne };
}

test("several changes of one save are one restart", async () => {
  const { clock, restarter, batches, open, settle } = manualRestarter();
  restarter.changed("main.py");
  clock.advance(10);
  restarter.changed("main.py~");
  clock.advance(10);
  expect(batches).toEqual([]);
  clock.advance(10);
  await settle();
  expect([batches, open.length]).toEqual([[["main.py", "main.py~"]], 1]);
});

test("changes during a restart cause exactly one more, afterwards", async () => {
  const { clock, restarter, batches, open, settle, endOne } = manualRestarter();
  restarter.changed("a");
  clock.advance(20);
  await settle();
  for (const file of ["b", "c"]) {
    restarter.changed(file);
    clock.advance(20);
    await settle();
  }
  expect([batches, open.length]).toEqual([[["a"]], 1]);
  await endOne();
  expect([batches, open.length]).toEqual([[["a"], ["b", "c"]], 1]);
});

test("a change that cannot run keeps the app, and the next one counts", async () => {
  const { clock, restarter, open, settle } = manualRestarter(["broken.py"]);
  restarter.changed("broken.py");
  clock.advance(20);
  await settle();
  expect(open).toEqual([]);
  restarter.changed("mended.py");
  clock.advance(20);
  await settle();
  expect(open.length).toBe(1);
});

test("in any order of changes and ends, at most one restart runs and the last change is followed by one", async () => {
  const step = fc.constantFrom("change", "wait", "end");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { clock, restarter, batches, open, settle, endOne } = manualRestarter();
      let count = 0;
      for (const each of steps) {
        if (each === "change") restarter.changed(String(count++));
        else if (each === "wait") clock.advance(7);
        else await endOne();
        await settle();
        expect(open.length).toBeLessThanOrEqual(1);
      }
      clock.advance(20);
      await settle();
      while (open.length > 0) await endOne();
      expect(batches.flat().sort()).toEqual(Array.from({ length: count }, (_, i) => String(i)).sort());
      await restarter.close();
    }),
  );
});
