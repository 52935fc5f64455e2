import { expect, test } from "vitest";
import type { Job } from "../../../robot/wire/apps/jobs.ts";
import { isolableSource } from "./isolable-source.ts";

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
  expect(isolableSource(conflict)).toBe("/home/me/my app");
  expect(isolableSource({ ...conflict, error: "There is no such package." })).toBeNull();
  expect(isolableSource({ ...conflict, code: "install-failed" })).toBeNull();
  expect(isolableSource({ ...conflict, status: "cancelled" })).toBeNull();
  expect(isolableSource({ ...conflict, command: "remove my_app" })).toBeNull();
});
