import { beforeEach, describe, expect, test } from "vitest";
import { JumpingClock } from "../../../common/testing/jumping-clock.ts";
import { EnvironmentLock, type Waiter } from "./environment-lock.ts";

let clock: JumpingClock;
let lock: EnvironmentLock;
/** What was waited for. */
let waits: string[];
let stop: AbortController;
let waiter: Waiter;
beforeEach(() => {
  clock = new JumpingClock();
  lock = new EnvironmentLock(clock);
  waits = [];
  stop = new AbortController();
  waiter = { signal: stop.signal, onWait: (what) => waits.push(what) };
});

/** Begins a change that lasts until the returned function is called. */
function beginChange(): { finish(): void; work: Promise<string> } {
  const parts = { finish: () => {} };
  const change = () =>
    new Promise<string>((resolve) => {
      parts.finish = () => resolve("changed");
    });
  const work = lock.during("The installation of wave", waiter, change);
  return { finish: () => parts.finish(), work };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const isPending = (work: Promise<unknown>) => Promise.race([work.then(() => false), nextTurn().then(() => true)]);

describe("a start", () => {
  test("waits for a change of the environment, and reports which", async () => {
    (await lock.start("one", waiter))();
    expect(waits).toEqual([]);
    const change = beginChange();
    const start = lock.start("two", waiter);
    expect(await isPending(start)).toBe(true);
    expect(waits).toEqual(["The installation of wave"]);
    change.finish();
    await start;
    expect(await change.work).toBe("changed");
  });

  test("does not wait for a change that failed", async () => {
    const failed = lock.during("The installation of wave", waiter, () => Promise.reject(new Error("no luck")));
    const start = lock.start("one", waiter);
    expect(waits).toEqual(["The installation of wave"]);
    await expect(failed).rejects.toThrow("no luck");
    await start;
  });

  test("that is stopped waits no longer", async () => {
    const change = beginChange();
    const start = lock.start("one", waiter);
    expect(await isPending(start)).toBe(true);
    expect(waits).toEqual(["The installation of wave"]);
    stop.abort();
    (await start)();
    change.finish();
    await change.work;
  });

  test("is refused when the change takes longer than a minute", async () => {
    beginChange();
    const refused = expect(lock.start("one", waiter)).rejects.toMatchObject({
      code: "app-busy",
      message: expect.stringContaining("The installation of wave still changes the apps' environment"),
    });
    await clock.advanceAsync(60_000);
    await refused;
  });
});

describe("a change", () => {
  test("waits for an app that still imports, and reports which; further starts wait for the change", async () => {
    const imported = await lock.start("one", waiter);
    const change = beginChange();
    const second = lock.start("two", waiter);
    expect(await isPending(change.work)).toBe(true);
    expect(waits.toSorted()).toEqual(["The installation of wave", "one"]);
    imported();
    await nextTurn();
    expect(await isPending(second)).toBe(true);
    change.finish();
    await Promise.all([change.work, second]);
  });

  test("that is cancelled while it waits does not begin", async () => {
    await lock.start("one", waiter);
    let began = false;
    const change = lock.during("The installation of wave", waiter, async () => {
      began = true;
    });
    const cancelled = expect(change).rejects.toThrow("changed my mind");
    stop.abort(new Error("changed my mind"));
    await cancelled;
    expect(began).toBe(false);
    await lock.start("two", { ...waiter, signal: new AbortController().signal });
  });

  test("is refused when the app starts for longer than a minute", async () => {
    await lock.start("one", waiter);
    const refused = expect(beginChange().work).rejects.toMatchObject({
      code: "app-busy",
      message: "The installation of wave waited for a minute while one starts. Stop the app, then try again.",
    });
    await clock.advanceAsync(60_000);
    await refused;
  });
});

test("the end of a change is waited for, with or without its success", async () => {
  await lock.waitForChange();
  const change = beginChange();
  const ended = lock.waitForChange();
  expect(await isPending(ended)).toBe(true);
  change.finish();
  await ended;
  expect(await change.work).toBe("changed");
});
