import { expect, test } from "vitest";
import type { Job } from "../../robot/wire/apps/jobs.ts";
import { conflictingSource } from "./install-source.ts";

const conflict: Job = {
  job_id: "1",
  command: "install /home/me/my app",
  status: "failed",
  stage: "install",
  percent: 40,
  logs: [],
  log_lines: 0,
  error: "It does not fit. It can have an environment of its own: robot-daemon install --isolated.",
  code: "dependency-conflict",
  result: null,
};

test("an install that ends in a conflict with other apps is offered again, in an environment of its own", () => {
  expect(conflictingSource(conflict)).toBe("/home/me/my app");
  expect(conflictingSource({ ...conflict, error: "There is no such package." })).toBeNull();
  expect(conflictingSource({ ...conflict, code: "install-failed" })).toBeNull();
  expect(conflictingSource({ ...conflict, status: "cancelled" })).toBeNull();
  expect(conflictingSource({ ...conflict, command: "remove my_app" })).toBeNull();
});
