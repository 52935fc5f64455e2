import { expect, test } from "vitest";
import { mapBounded } from "./map-bounded.ts";

test("maps in order, never more at a time", async () => {
  let [now, most] = [0, 0];
  const items = Array.from({ length: 100 }, (_, at) => at);
  const work = async (item: number) => {
    now += 1;
    most = Math.max(most, now);
    for (let turn = 0; turn < item % 3; turn += 1) await Promise.resolve();
    now -= 1;
    return 2 * item;
  };
  expect(await mapBounded(items, 7, work)).toEqual(items.map((item) => 2 * item));
  expect([most > 1, most <= 7]).toEqual([true, true]);
  expect(await mapBounded([], 7, work)).toEqual([]);
  await expect(mapBounded(items, 7, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
