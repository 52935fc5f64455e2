import { describe, expect, test } from "vitest";
import type { LogLine } from "../../robot/wire/apps/app-events.ts";
import { LogModel } from "./log-model.ts";

const line = (time: number, text: string, from: LogLine["from"] = "stdout"): LogLine => ({
  time,
  app: "hello_robot",
  from,
  text,
});
const texts = (logs: LogModel) => logs.visible.value.map(({ text }) => text);

describe("the log", () => {
  test("shows lines that arrive together in one update", () => {
    const flushes: (() => void)[] = [];
    const logs = new LogModel((flush) => flushes.push(flush));
    logs.push(line(1, "one"));
    logs.push(line(2, "two"));
    expect(texts(logs)).toEqual([]);
    expect(flushes).toHaveLength(1);
    flushes[0]?.();
    expect(texts(logs)).toEqual(["one", "two"]);
  });

  test("restores the past without repeating lines that arrived live", () => {
    const logs = new LogModel((flush) => flush());
    logs.push(line(3, "live"));
    logs.restore([line(1, "old"), line(3, "live")]);
    logs.restore([line(1, "old"), line(3, "live")]);
    expect(texts(logs)).toEqual(["old", "live"]);
  });

  test("restores missed lines between those before and those after an outage, even if the clock was set", () => {
    const logs = new LogModel((flush) => flush());
    for (const [time, text] of [
      [50, "first"],
      [51, "second"],
    ] as const)
      logs.push(line(time, text));
    logs.beginConnection();
    logs.push(line(3, "live"));
    // The daemon's clock was set back during the outage.
    logs.restore([line(51, "second"), line(1, "missed"), line(2, "missed too")]);
    logs.push(line(4, "next"));
    expect(texts(logs)).toEqual(["first", "second", "missed", "missed too", "live", "next"]);
  });

  test("keeps waiting lines when a connection begins", () => {
    const logs = new LogModel(() => {});
    logs.push(line(1, "waiting"));
    logs.beginConnection();
    logs.restore([line(2, "missed")]);
    expect(texts(logs)).toEqual(["waiting", "missed"]);
  });

  test("does not change while paused, counts unread lines, and shows them on follow", () => {
    const logs = new LogModel((flush) => flush());
    logs.push(line(1, "one"));
    logs.pause();
    logs.push(line(2, "two"));
    expect(texts(logs)).toEqual(["one"]);
    expect(logs.unread.value).toBe(1);
    logs.follow();
    expect(texts(logs)).toEqual(["one", "two"]);
    expect(logs.unread.value).toBe(0);
  });

  test("a pause before the first line counts all of them as unread", () => {
    const logs = new LogModel((flush) => flush());
    logs.pause();
    logs.push(line(1, "one"));
    expect(texts(logs)).toEqual([]);
    expect(logs.unread.value).toBe(1);
  });

  test("filters by text, ignoring case, and by error output", () => {
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

  test("the last lines of an app are its error output, or its output when it has no error output", () => {
    const logs = new LogModel((flush) => flush());
    logs.push(line(1, "fine"));
    logs.push(line(2, "exit code 1", "daemon"));
    expect(logs.lastLines("hello_robot", 3).map(({ text }) => text)).toEqual(["fine"]);
    logs.push(line(3, "Traceback", "stderr"));
    logs.push(line(4, "ValueError", "stderr"));
    expect(logs.lastLines("hello_robot", 1).map(({ text }) => text)).toEqual(["ValueError"]);
    expect(logs.lastLines("other", 3)).toEqual([]);
  });
});
