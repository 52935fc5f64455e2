import { expect, test } from "vitest";
import { watchLostInterrupts } from "./lost-interrupt.ts";

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
