import { expect, test } from "vitest";
import { ManualClock } from "./manual-clock.ts";
import { Throttle } from "./throttle.ts";

test("each key runs at most once a second and gets the number of suppressed calls", () => {
  const clock = new ManualClock();
  const throttle = new Throttle(clock);
  const seen: string[] = [];
  const run = (key: string) => throttle.run(key, (suppressed) => seen.push(`${key} ${suppressed}`));
  run("a");
  run("a");
  run("b");
  clock.advance(999);
  run("a");
  clock.advance(1);
  run("a");
  run("a");
  expect(seen).toEqual(["a 0", "b 0", "a 2"]);
});
