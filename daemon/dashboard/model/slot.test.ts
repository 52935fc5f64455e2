import { expect, test } from "vitest";
import type { AppStatus } from "../../../robot/wire/apps.ts";
import { SlotModel } from "./slot.ts";

const status = (state: AppStatus["state"], name = "hello_robot"): AppStatus => ({
  info: { name, source_kind: "installed", description: "", url: null, extra: {} },
  state,
  error: null,
});

test("uptime counts from a start that the page saw, not from when the page came", () => {
  let now = 100;
  const slot = new SlotModel(() => now);
  slot.restore(status("running"));
  expect(slot.since.value).toBeNull();
  slot.change(status("stopping"));
  slot.change(status("starting"));
  now = 200;
  slot.change(status("running"));
  now = 300;
  slot.change(status("running"));
  slot.restore(status("running"));
  expect(slot.since.value).toBe(200);
});

test.each([
  ["starting", true],
  ["running", true],
  ["stopping", true],
  ["done", false],
  ["error", false],
] as const)("an app that is %s holds the slot: %s", (state, busy) => {
  const slot = new SlotModel(() => 0);
  slot.change(status(state));
  expect(slot.busy.value).toBe(busy);
});
