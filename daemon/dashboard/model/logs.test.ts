import { describe, expect, test } from "vitest";
import type { LogLine } from "../../apps/app-events.ts";
import { LogModel } from "./logs.ts";

const line = (time: number, text: string, from: LogLine["from"] = "stdout"): LogLine => ({
  time,
  app: "hello_robot",
  from,
  text,
});
const texts = (logs: LogModel) => logs.shown.value.map(({ text }) => text);

describe("the log", () => {
  test("shows lines that come together at once", () => {
    const flushes: (() => void)[] = [];
    const logs = new LogModel((flush) => flushes.push(flush));
    logs.push(line(1, "one"));
    logs.push(line(2, "two"));
    expect(texts(logs)).toEqual([]);
    expect(flushes).toHaveLength(1);
    flushes[0]?.();
    expect(texts(logs)).toEqual(["one", "two"]);
  });

  test("recalls the past without repeating what came live", () => {
    const logs = new LogModel((flush) => flush());
    logs.push(line(3, "live"));
    logs.restore([line(1, "old"), line(3, "live")]);
    logs.restore([line(1, "old"), line(3, "live")]);
    expect(texts(logs)).toEqual(["old", "live"]);
  });

  test("stands still while paused, counts what waits, and catches up", () => {
    const logs = new LogModel((flush) => flush());
    logs.push(line(1, "one"));
    logs.pause();
    logs.push(line(2, "two"));
    expect(texts(logs)).toEqual(["one"]);
    expect(logs.waiting.value).toBe(1);
    logs.follow();
    expect(texts(logs)).toEqual(["one", "two"]);
    expect(logs.waiting.value).toBe(0);
  });

  test("a pause before the first line waits for all of them", () => {
    const logs = new LogModel((flush) => flush());
    logs.pause();
    logs.push(line(1, "one"));
    expect(texts(logs)).toEqual([]);
    expect(logs.waiting.value).toBe(1);
  });

  test("filters by text, in any case, and by error output", () => {
    const logs = new LogModel((flush) => flush());
    logs.push(line(1, "Looking left"));
    logs.push(line(2, "looking up", "stderr"));
    logs.filter.value = " LOOKING ";
    expect(texts(logs)).toEqual(["Looking left", "looking up"]);
    logs.errorsOnly.value = true;
    expect(texts(logs)).toEqual(["looking up"]);
    logs.filter.value = "left";
    expect(texts(logs)).toEqual([]);
  });

  test("keeps a bounded number of lines", () => {
    const logs = new LogModel((flush) => flush());
    for (let i = 0; i < 3000; i++) logs.push(line(i, `line ${i}`));
    expect(texts(logs)).toHaveLength(500);
    expect(texts(logs).at(-1)).toBe("line 2999");
  });

  test("the last words of a failed app are its error output, or its output when there is none", () => {
    const logs = new LogModel((flush) => flush());
    logs.push(line(1, "fine"));
    logs.push(line(2, "exit code 1", "daemon"));
    expect(logs.lastWords("hello_robot", 3).map(({ text }) => text)).toEqual(["fine"]);
    logs.push(line(3, "Traceback", "stderr"));
    logs.push(line(4, "ValueError", "stderr"));
    expect(logs.lastWords("hello_robot", 1).map(({ text }) => text)).toEqual(["ValueError"]);
    expect(logs.lastWords("other", 3)).toEqual([]);
  });
});
