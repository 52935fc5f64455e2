import { expect, test } from "vitest";
import { Emitter } from "./emitter.ts";

test("every listener gets each value until it unsubscribes", () => {
  const emitter = new Emitter<number>();
  const seen: string[] = [];
  const off = emitter.on((value) => seen.push(`first ${value}`));
  emitter.on((value) => seen.push(`second ${value}`));
  emitter.emit(1);
  off();
  off();
  emitter.emit(2);
  expect(seen).toEqual(["first 1", "second 1", "second 2"]);
});

test("a function that subscribes twice gets each value twice, and each subscription ends alone", () => {
  const emitter = new Emitter<number>();
  const seen: number[] = [];
  const listener = (value: number) => seen.push(value);
  const off = emitter.on(listener);
  emitter.on(listener);
  emitter.emit(1);
  off();
  emitter.emit(2);
  expect(seen).toEqual([1, 1, 2]);
  expect(emitter.size).toBe(1);
});

test("a listener that unsubscribes or subscribes another during a value changes only later values", () => {
  const emitter = new Emitter<number>();
  const seen: string[] = [];
  const off = emitter.on((value) => {
    seen.push(`once ${value}`);
    off();
    emitter.on((later) => seen.push(`late ${later}`));
  });
  emitter.on((value) => seen.push(`always ${value}`));
  emitter.emit(1);
  emitter.emit(2);
  expect(seen).toEqual(["once 1", "always 1", "always 2", "late 2"]);
});

test("the newest values wait for the first listener, up to the limit", () => {
  const emitter = new Emitter<number>(2);
  for (const value of [1, 2, 3]) emitter.emit(value);
  const first: number[] = [];
  const second: number[] = [];
  emitter.on((value) => first.push(value));
  emitter.on((value) => second.push(value));
  emitter.emit(4);
  expect({ first, second }).toEqual({ first: [2, 3, 4], second: [4] });
});

test("without a limit nothing waits", () => {
  const emitter = new Emitter<number>();
  emitter.emit(1);
  const seen: number[] = [];
  emitter.on((value) => seen.push(value));
  expect(seen).toEqual([]);
});
