import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { openUnblocked } from "./unblocked-output.ts";

const LINES = 5000;
const line = (number: number) => `${number} ${"x".repeat(100)}\n`;

/** Opens a pipe for reading and writing. @returns its number, and what can be read of it now */
function openPipe() {
  const file = path.join(temporaryFolder("pipe-"), "pipe");
  execFileSync("mkfifo", [file]);
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  return { fd, read: () => readAll(fd) };
}

function readAll(fd: number): string {
  const buffer = Buffer.alloc(1_000_000);
  try {
    return buffer.toString("utf8", 0, readSync(fd, buffer));
  } catch {
    return "";
  }
}

test.skipIf(process.platform !== "linux")(
  "lines that nobody reads wait, and too many are left out and counted, while the writer goes on",
  () => {
    const { fd, read } = openPipe();
    const clock = new ManualClock();
    const output = openUnblocked(fd, clock);
    if (output === null) throw new Error("the pipe was not opened");
    onTestFinished(() => void output.destroy());
    for (let number = 0; number < LINES; number += 1) output.write(line(number));
    let text = read();
    for (let more = " "; more !== ""; text += more) {
      clock.advance(200);
      more = read();
    }
    const lines = text.split("\n").slice(0, -1);
    const [note = "", ...others] = lines.reverse();
    expect(others.reverse().map((each) => `${each}\n`)).toEqual(others.map((_, number) => line(number)));
    expect(note).toBe(`[${LINES - others.length} lines of the log left out: nothing read them in time]`);
    output.write(line(LINES));
    expect(read()).toBe(line(LINES));
  },
);

test("a file is not opened a second time: it never blocks, and others may write to it too", () => {
  const file = path.join(temporaryFolder("log-"), "log");
  writeFileSync(file, "");
  const fd = openSync(file, "a");
  onTestFinished(() => closeSync(fd));
  expect(openUnblocked(fd, new ManualClock())).toBeNull();
});
