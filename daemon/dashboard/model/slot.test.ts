import { expect, test } from "vitest";
import type { AppStatus } from "../../../robot/wire/apps.ts";
import { SlotModel } from "./slot.ts";

const status = (state: AppStatus["state"], name = "hello_robot"): AppStatus => ({
  info: { name, source_kind: "installed", description: "", url: null, extra: {} },
  state,
  error: null,
  since: 0,
});

test("an answer that comes later than what it brought about changes nothing", () => {
  const slot = new SlotModel();
  slot.restore({ ...status("done"), since: 1 });
  slot.change({ ...status("running"), since: 3 });
  slot.change({ ...status("starting"), since: 2 });
  expect(slot.status.value?.state).toBe("running");
});

test("a daemon that came back knows better, even if its clock was set back", () => {
  const slot = new SlotModel();
  slot.change({ ...status("running"), since: 3 });
  slot.restore({ ...status("done"), since: 2 });
  expect(slot.status.value?.state).toBe("done");
});

test.each([
  ["starting", true],
  ["running", true],
  ["stopping", true],
  ["done", false],
  ["error", false],
] as const)("an app that is %s holds the slot: %s", (state, busy) => {
  const slot = new SlotModel();
  slot.change(status(state));
  expect(slot.busy.value).toBe(busy);
});
