import { constants } from "node:os";
import { expect, test } from "vitest";
import { ifAbsent, ifUnusable } from "./absent.ts";

const ABSENT = ["ENOENT", "ESRCH", "ENOTDIR"];
const EXHAUSTED = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "ENOBUFS"];

test.each(Object.keys(constants.errno))("%s means absent only where the system says so", (code) => {
  const error = Object.assign(new Error(code), { code });
  const outcome = (work: (error: unknown) => string) => {
    try {
      return work(error);
    } catch {
      return "thrown";
    }
  };
  expect(outcome(ifAbsent("absent"))).toBe(ABSENT.includes(code) ? "absent" : "thrown");
  expect(outcome(ifUnusable("without"))).toBe(EXHAUSTED.includes(code) ? "thrown" : "without");
});
