import { pino } from "pino";
import { expect, test } from "vitest";
import { Emitter } from "../../common/emitter.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { EventBroadcaster } from "../http/events/event-broadcaster.ts";
import { EventReporter } from "./event-reporter.ts";

test("each client begins with what servos reported of the supply last, also before anyone listened", () => {
  const events = new Emitter<RobotEvent>(20);
  const supplyOf = (message: string) => events.emit({ kind: "supply", level: "warning", message, data: {} });
  const beginnings = new Map<string, () => readonly unknown[]>();
  const sent: RobotEvent[] = [];
  const broadcaster = {
    send: (_name: string, event: RobotEvent) => void sent.push(event),
    beginWith: (name: string, of: () => readonly unknown[]) => void beginnings.set(name, of),
  };
  supplyOf("7.3 V");
  const robot = { onEvent: (listener: (event: RobotEvent) => void) => events.on(listener) };
  const other = { events: new Emitter(), jobs: { unfinished: () => [] }, onFault: () => () => undefined };
  new EventReporter(broadcaster as unknown as EventBroadcaster, pino({ enabled: false })).report({
    robot,
    audio: other,
    apps: other,
  } as never);
  expect(sent).toHaveLength(1);
  expect(beginnings.get("robot")?.()).toMatchObject([{ message: "7.3 V" }]);
  supplyOf("7.5 V");
  expect(beginnings.get("robot")?.()).toMatchObject([{ message: "7.5 V" }]);
});
