import { expect, test } from "vitest";
import { SerialQueue } from "./serial-queue.ts";

test("work runs one after the other, also after work that fails", async () => {
  const queue = new SerialQueue();
  const notes: string[] = [];
  const note = (name: string) => async () => {
    notes.push(`${name} begins`);
    await Promise.resolve();
    notes.push(`${name} ends`);
    if (name === "b") throw new Error("b failed");
    return name;
  };
  const results = await Promise.allSettled(["a", "b", "c"].map((name) => queue.run(note(name))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(notes).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});
