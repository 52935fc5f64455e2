import { expect, test } from "vitest";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import { SlotModel } from "./slot-model.ts";

const status = (state: AppStatus["state"], name = "hello_robot"): AppStatus => ({
  info: { name, source_kind: "installed", description: "", url: null, extra: {} },
  state,
  error: null,
  since: 0,
});

test("an answer that arrives after an event changes nothing, even if the clock was set", () => {
  const slot = new SlotModel();
  slot.change({ ...status("done"), since: 3 });
  const { revision } = slot;
  slot.change({ ...status("running"), since: 1 });
  slot.takeAnswer({ ...status("starting"), since: 2 }, revision);
  expect(slot.status.value?.state).toBe("running");
});

test("an answer counts when no event has arrived since the request", () => {
  const slot = new SlotModel();
  slot.change({ ...status("done"), since: 3 });
  slot.takeAnswer({ ...status("starting"), since: 2 }, slot.revision);
  expect(slot.status.value?.state).toBe("starting");
});

test("the status of a new connection counts, even if the clock of the daemon was set back", () => {
  const slot = new SlotModel();
  slot.change({ ...status("running"), since: 3 });
  slot.change({ ...status("done"), since: 2 });
  expect(slot.status.value?.state).toBe("done");
});

test.each([
  ["starting", true],
  ["running", true],
  ["stopping", true],
  ["done", false],
  ["error", false],
] as const)("an app that is %s occupies the slot: %s", (state, busy) => {
  const slot = new SlotModel();
  slot.change(status(state));
  expect(slot.busy.value).toBe(busy);
});
