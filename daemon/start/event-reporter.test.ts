import { type Logger, pino } from "pino";
import { expect, test } from "vitest";
import { Emitter } from "../../common/emitter.ts";
import type { BuiltInSound } from "../../robot/wire/audio/audio-messages.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { EventBroadcaster } from "../http/events/event-broadcaster.ts";
import { EventReporter, playCueSound } from "./event-reporter.ts";

function report(events: Emitter<RobotEvent>, broadcaster: object, log: Logger): void {
  const robot = { onEvent: (listener: (event: RobotEvent) => void) => events.on(listener) };
  const other = { events: new Emitter(), jobs: { unfinished: () => [] }, onFault: () => () => undefined };
  new EventReporter(broadcaster as EventBroadcaster, log).report({ robot, audio: other, apps: other } as never);
}

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
  report(events, broadcaster, pino({ enabled: false }));
  expect(sent).toHaveLength(1);
  expect(beginnings.get("robot")?.()).toMatchObject([{ message: "7.3 V" }]);
  supplyOf("7.5 V");
  expect(beginnings.get("robot")?.()).toMatchObject([{ message: "7.5 V" }]);
});

test("logs a fault and the change of phase that it causes once", () => {
  const events = new Emitter<RobotEvent>(20);
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  report(events, { send: () => {}, beginWith: () => {} }, log);
  for (const [kind, message] of [
    ["fault", "Servo 13 is hot."],
    ["phase", "Servo 13 is hot."],
    ["phase", "No answer."],
    ["fault", "Servo 13 is hot."],
  ] as const)
    events.emit({ kind, level: "error", message, data: {} });
  expect(lines).toEqual(["Servo 13 is hot.", "No answer.", "Servo 13 is hot."]);
});

test("wake-up and sleep cues play their sound, other events play nothing", () => {
  const played: BuiltInSound[] = [];
  const audio = { play: (sound: BuiltInSound) => void played.push(sound) };
  for (const cue of ["wake_up_sound", "motors_off", "sleep_sound"]) playCueSound(audio, { kind: "cue", data: { cue } });
  playCueSound(audio, { kind: "move_started", data: {} });
  expect(played).toEqual(["wake_up", "sleep"]);
});
