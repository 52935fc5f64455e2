import { expect, test } from "vitest";
import { Emitter } from "../../common/emitter.ts";
import type { AppHost } from "../../daemon/apps/app-host.ts";
import type { Robot } from "../../daemon/robot-client/robot.ts";
import type { AppEvent } from "../../robot/wire/apps/app-events.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import { LifecycleComparison } from "./lifecycle-comparison.ts";

/** A daemon of which only the events are used. */
function daemon() {
  const [robotEvents, appEvents] = [new Emitter<RobotEvent>(), new Emitter<AppEvent>()];
  const robot = { state: { phase: "running" }, onEvent: (listener) => robotEvents.on(listener) } as Robot;
  const apps = { startupApp: { name: null }, events: appEvents } as unknown as AppHost;
  const move = (kind: "move_started" | "move_ended") =>
    robotEvents.emit({ kind, level: "info", message: "", data: { kind: "return_to_default", outcome: "finished" } });
  return { robot, apps, move };
}

test("what the model does not allow is reported once, and the log of the next daemon is compared anew", () => {
  const found: string[] = [];
  const comparison = new LifecycleComparison((what) => found.push(what));
  const [first, second] = [daemon(), daemon()];
  comparison.daemonStarted(first.robot, first.apps);
  first.move("move_started");
  first.move("move_ended");
  expect(found).toEqual([expect.stringMatching(/^The model does not allow.*"return_to_default".*It could be in:/s)]);
  comparison.daemonStarted(second.robot, second.apps);
  first.move("move_started");
  expect(found).toHaveLength(1);
  second.move("move_started");
  expect(found).toHaveLength(2);
});
