import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter, MAX_LINE, readLines, watchLostInterrupts } from "./output.ts";

const countLost = (text: string): number => {
  let count = 0;
  const push = watchLostInterrupts(() => {
    count += 1;
  });
  text.split("\n").forEach(push);
  return count;
};

test.each([
  [
    "an import's callback, Python 3.11",
    `Exception ignored in: <function _get_module_lock.<locals>.cb at 0x7f>
Traceback (most recent call last):
  File "<frozen importlib._bootstrap>", line 451, in cb
KeyboardInterrupt: `,
    1,
  ],
  [
    "a callback, Python 3.14",
    `Exception ignored while calling weakref callback <function cb at 0x7f>:
Traceback (most recent call last):
  File "x.py", line 1, in cb
    sleep(1)
    ~~~~~^^^
KeyboardInterrupt`,
    1,
  ],
  ["another exception", "Exception ignored in: <f>\nTraceback (most recent call last):\nValueError: x", 0],
  ["an interrupt that ends the program", "Traceback (most recent call last):\n  File x\nKeyboardInterrupt", 0],
  ["an interrupt after another exception", "Exception ignored in: <f>\nValueError: x\nKeyboardInterrupt", 0],
])("%s", (_, text, lost) => {
  expect(countLost(text)).toBe(lost);
});

const text = fc
  .array(fc.oneof(fc.constantFrom("\n", "\r", "\r\n", "é", "🤖", "x"), fc.string({ maxLength: 5 })))
  .map((pieces) => pieces.join(""));

function split(bytes: Buffer, cuts: readonly number[]): string[] {
  const splitter = new LineSplitter();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
  const lines = places.slice(1).flatMap((end, index) => splitter.push(bytes.subarray(places[index], end)));
  return [...lines, ...splitter.end()];
}

test("lines do not depend on where chunks are cut, even inside a character or between \\r and \\n", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat()), (whole, cuts) => {
      const lines = whole.split(/\r\n|\n|\r/);
      if (lines.at(-1) === "") lines.pop();
      expect(split(Buffer.from(whole), cuts)).toEqual(lines);
    }),
  );
});

test("a line that never ends is cut and never buffered whole", () => {
  const splitter = new LineSplitter();
  const chunk = Buffer.from("x".repeat(65_536));
  for (let count = 0; count < 16; count += 1) {
    expect(splitter.push(chunk).every((line) => line.length === MAX_LINE)).toBe(true);
  }
  expect(splitter.end()).toEqual(["x".repeat(MAX_LINE)]);
});

test.each(["\n", "\r", "\r\n", "x\n"])(
  "a flood of %j takes its share of each turn and no more, and all of it is read",
  async (line) => {
    const pipe = new PassThrough({ highWaterMark: 1_000_000 });
    pipe.end(line.repeat(200_000));
    let [lines, ofThisTurn, most] = [0, 0, 0];
    const nextTurn = (): void => {
      ofThisTurn = 0;
      if (lines < 200_000) setImmediate(nextTurn);
    };
    nextTurn();
    await readLines(pipe, () => {
      lines += 1;
      ofThisTurn += 1;
      most = Math.max(most, ofThisTurn);
    });
    expect(lines).toBe(200_000);
    expect(most).toBeLessThanOrEqual(4000);
  },
);
