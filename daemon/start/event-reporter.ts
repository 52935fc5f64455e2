import type { Logger } from "pino";
import type { AppEvent } from "../../robot/wire/apps/app-events.ts";
import type { BuiltInSound } from "../../robot/wire/audio/audio-messages.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { AppHost } from "../apps/app-host.ts";
import type { Audio } from "../audio/audio.ts";
import type { EventBroadcaster } from "../http/events/event-broadcaster.ts";
import type { Robot } from "../robot-client/robot.ts";

/** Events that an app's motion causes in great numbers: clients get them, the log only at level debug. */
const FREQUENT: ReadonlySet<RobotEvent["kind"]> = new Set(["move_started", "move_ended", "cue", "target_clipped"]);

/** The sound that goes with a cue of a move. */
const SOUND_OF_CUE: Readonly<Record<string, BuiltInSound>> = { wake_up_sound: "wake_up", sleep_sound: "sleep" };

/** Reports the events of robot, audio and apps to the clients of `GET /api/events` and to the daemon's log. */
export class EventReporter {
  readonly #events: EventBroadcaster;
  readonly #log: Logger;
  /** What servos reported of the supply last: it holds, so that each client begins with it. */
  #supply: readonly RobotEvent[] = [];
  /** The last fault. The change of phase that it causes has the same message, which is logged once. */
  #fault = "";

  constructor(events: EventBroadcaster, log: Logger) {
    this.#events = events;
    this.#log = log;
  }

  /** Reports events from now on, and those of the robot that wait for a first listener. */
  report({ robot, audio, apps }: { robot: Robot; audio: Audio; apps: AppHost }): void {
    this.#events.beginWith("job", () => apps.jobs.unfinished());
    apps.events.on((event) => this.#reportAppEvent(event));
    this.#events.beginWith("robot", () => this.#supply);
    robot.onEvent((event) => {
      if (event.kind === "supply") this.#supply = [event];
      this.#events.send("robot", event);
      if (event.kind === "fault") this.#fault = event.message;
      if (event.kind !== "phase" || event.message !== this.#fault) this.#log[logLevelOf(event)](event.message);
      playCueSound(audio, event);
    });
    audio.onFault((message) => this.warn(message));
  }

  /** Reports a warning that belongs to the daemon itself. */
  warn(message: string): void {
    this.#reportAppEvent({ kind: "notice", level: "warning", message });
  }

  #reportAppEvent(event: AppEvent): void {
    switch (event.kind) {
      case "log":
        this.#events.send("log", event.line);
        this.#log.info({ app: event.line.app, from: event.line.from }, event.line.text);
        return;
      case "slot": {
        const { info, state, error } = event.status;
        this.#events.send("slot", event.status);
        // The other lines of an error are those of the app, which were logged.
        this.#log.info(
          state === "error" ? `${info.name} failed: ${error?.split("\n", 1)[0]}` : `${info.name} is ${state}`,
        );
        return;
      }
      case "process":
        this.#events.send("process", event.event);
        return;
      case "job":
        this.#events.send("job", event.job);
        return;
      case "startup-app":
        this.#events.send("startup-app", { startup_app: event.name });
        return;
      case "notice":
        this.#events.send("notice", event);
        this.#log[event.level === "warning" ? "warn" : event.level](event.message);
    }
  }
}

function logLevelOf({ kind, level }: RobotEvent): "debug" | "info" | "warn" | "error" {
  if (FREQUENT.has(kind)) return "debug";
  return level === "warning" ? "warn" : level;
}

/** Plays the sound that goes with a robot event, if there is one. */
export function playCueSound(audio: Pick<Audio, "play">, { kind, data }: Pick<RobotEvent, "kind" | "data">): void {
  const sound = kind === "cue" ? SOUND_OF_CUE[String(data.cue)] : undefined;
  if (sound !== undefined) audio.play(sound);
}
