import type { SharedBudget } from "../../../../common/bounded.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import { Throttle } from "../../../../common/time/throttle.ts";
import type { Dialect } from "../../../../robot/dialects/dialects.ts";
import { problemOf, WorkbenchError } from "../../../../robot/wire/errors.ts";
import {
  ClientMessage,
  isKnownType,
  PublicMessage,
  type ServerMessage,
} from "../../../../robot/wire/robot/sdk-messages.ts";
import type { MoveOutcome, Target } from "../../../../robot/wire/robot/target.ts";
import { formatForMessage } from "../../../../robot/wire/validation/format-for-message.ts";
import { parseJson } from "../../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import type { Scope } from "../../connections/scope.ts";
import { MotionRecording } from "./motion-recording.ts";
import { targetOfMessage } from "./target-of-message.ts";
import { TargetRate } from "./target-rate.ts";

/** What a client changes for as long as it is connected, and how the robot is without. */
const TEMPORARY = {
  headOffset: (robot: Robot) => robot.setHeadOffset(null),
  automaticBodyYaw: (robot: Robot) => robot.setAutomaticBodyYaw(true),
} as const;
type TemporarySetting = keyof typeof TEMPORARY;

/** Which client changed a setting last. */
export type SettingOwners = Map<TemporarySetting, SdkSession>;

/** Message types whose refusal is reported, once each, because a loop sends the same bad message many times. */
const MAX_REPORTED_TYPES = 20;

interface SdkSessionParts {
  dialect: Dialect;
  /** The subject of sentences about the client, for example "The app". */
  sender(): string;
  /** Which versions the client and this daemon have, for the error of a message that only newer daemons know. */
  versions: { client: string; daemon: string };
  robot: Robot;
  /** Shared by the clients of a robot. */
  owners: SettingOwners;
  /** What the motion recordings of all clients hold. */
  recordings: SharedBudget;
  clock: Clock;
  goToSleep: Robot["goToSleep"];
  /** Of the connection. */
  scope: Scope;
  send(message: ServerMessage): void;
  /** Sends a message that is JSON already. */
  sendText(json: string): void;
  /** Gets a sentence for people about a refused message: many clients ignore messages of type `error`. */
  onRefused(message: string): void;
  /** Gets a sentence for the client's author, once, when the client sends far more targets than the robot can follow. */
  onTooManyTargets(message: string): void;
}

/** One client of the SDK socket: handles its messages and replies to those that need a reply. */
export class SdkSession {
  readonly #parts: SdkSessionParts;
  readonly #targetRate: TargetRate;
  readonly #errors: Throttle;
  readonly #reportedTypes = new Set<unknown>();
  #recording: MotionRecording | null = null;
  /** The answer to the last target: the same one for targets that are merged. */
  #targetAnswer: Promise<void> | null = null;
  /** When this client last moved the robot, milliseconds of the clock; null when it never did. */
  movedAt: number | null = null;

  constructor(parts: SdkSessionParts) {
    const { clock, onTooManyTargets, sender } = parts;
    this.#parts = parts;
    this.#errors = new Throttle(clock);
    parts.scope.add(() => {
      this.#endRecording();
      this.#resetSettings();
    });
    this.#targetRate = new TargetRate(
      () => clock.now(),
      (perSecond) =>
        onTooManyTargets(
          `${sender()} sets ${perSecond} targets per second; the robot follows at most 100 per second and skips the others. ` +
            "Add a pause to the loop, for example time.sleep(0.02).",
        ),
    );
  }

  /**
   * Handles a text message. A bad message is answered with `error`, and its move with `task_progress`.
   * @returns settles when the robot has done what the message asks for; undefined when there is nothing to wait for
   */
  receive(text: string): Promise<void> | undefined {
    let message: unknown;
    try {
      message = parseJson(text, "message");
      const { dialect, versions } = this.#parts;
      const next = isKnownType(Object(message).type) ? {} : { next: sentenceOf(versions) };
      return this.#handle(
        parseOrThrow(dialect.publicProtocol ? PublicMessage : ClientMessage, message, "message", next),
      );
    } catch (error) {
      this.#refuse(message, error);
      return undefined;
    }
  }

  #handle(message: PublicMessage): Promise<void> | undefined {
    const { robot } = this.#parts;
    switch (message.type) {
      case "set_full_target":
      case "set_target":
      case "set_antennas":
      case "set_body_yaw":
      case "set_head_joints":
        return this.#setTarget(targetOfMessage(message));
      case "task": {
        const { duration, method, relative } = message.req;
        const request = {
          ...this.#complete(targetOfMessage(message)),
          duration,
          method,
          ...(relative && { relative }),
        };
        return this.#startMove(message.uuid, () => robot.goto(request, message.uuid), duration);
      }
      case "wake_up":
        return this.#startMove(message.uuid, () => robot.wakeUp(message.uuid));
      case "goto_sleep":
        return this.#startMove(message.uuid, () => this.#parts.goToSleep(message.uuid));
      case "set_torque":
        return this.#call(() => robot.setTorque(message.on, this.#joints(message.ids)));
      case "set_motor_mode":
        return this.#call(() => robot.setMotorMode(message.mode));
      case "set_gravity_compensation":
        return this.#call(() => robot.setMotorMode(message.enabled ? "gravity_compensation" : "enabled"));
      case "set_automatic_body_yaw":
        return this.#change("automaticBodyYaw", () => robot.setAutomaticBodyYaw(message.enabled));
      case "start_recording":
        this.#endRecording();
        this.#recording = new MotionRecording(this.#parts.recordings);
        return undefined;
      case "append_record":
        this.#record(message.record);
        return undefined;
      case "stop_recording":
        this.#parts.sendText(`{"type":"recorded_data","data":${this.#endRecording()}}`);
        return undefined;
      case "set_speech_offsets":
        return this.#setHeadOffset(message.offsets);
      case "set_wobbling":
        // Sound that the daemon plays by itself moves no head; the SDK sends the offsets of its own sound.
        return message.enabled ? undefined : this.#setHeadOffset(NO_OFFSETS);
      case "set_head_tracking":
        // Without a camera there is no face: the status says so.
        return undefined;
    }
  }

  /** A record that does not fit is left out, as are those after it. */
  #record(record: unknown): void {
    if (this.#recording === null || this.#recording.add(record)) return;
    const next = "Send stop_recording to get it, then start_recording.";
    this.#errors.run("recording", () =>
      this.#sendError(new WorkbenchError("too-many-requests", `The motion recording is full. ${next}`)),
    );
  }

  /** @returns the records as a JSON list */
  #endRecording(): string {
    const records = this.#recording?.end() ?? "[]";
    this.#recording = null;
    return records;
  }

  #setTarget(target: Target): undefined {
    this.movedAt = this.#parts.clock.now();
    this.#targetRate.countTarget();
    const answer = this.#parts.robot.setTarget(this.#complete(target), "with-state");
    if (answer === this.#targetAnswer) return;
    this.#targetAnswer = answer;
    answer.catch((error: unknown) => this.#errors.run("target", () => this.#sendError(error)));
  }

  #complete(target: Target): Target {
    return this.#parts.dialect.publicProtocol ? { ...target, keepsBodyYaw: true } : target;
  }

  #joints(names: readonly string[] | null | undefined): string[] | null {
    const { jointNames } = this.#parts.dialect;
    return names?.map((name) => jointNames[name] ?? name) ?? null;
  }

  /** Moves the head by small offsets on top of its targets. */
  #setHeadOffset([x, y, z, roll, pitch, yaw]: Offsets): Promise<void> {
    const offset = [x, y, z, roll, pitch, yaw].every((value) => value === 0) ? null : { x, y, z, roll, pitch, yaw };
    return this.#change("headOffset", () => this.#parts.robot.setHeadOffset(offset));
  }

  /** Changes a setting until the client has gone. */
  #change(setting: TemporarySetting, work: () => Promise<void>): Promise<void> {
    this.#parts.owners.set(setting, this);
    return this.#call(work);
  }

  #resetSettings(): void {
    const { owners, robot } = this.#parts;
    for (const [setting, owner] of owners)
      if (owner === this && owners.delete(setting)) void TEMPORARY[setting](robot).catch(() => undefined);
  }

  /**
   * Starts a move and sends its end.
   * @param seconds how long a client of the public protocol believes a move to take that its motors do not make
   */
  #startMove(uuid: string | undefined, move: () => Promise<MoveOutcome>, seconds = 0): Promise<void> {
    const { dialect, clock, scope } = this.#parts;
    this.movedAt = this.#parts.clock.now();
    const sendFinished = (error: string | null): void => {
      if (uuid !== undefined) this.#sendFinished(uuid, error);
    };
    return move().then(
      (outcome) => sendFinished(outcome === "finished" || dialect.publicProtocol ? null : `The move was ${outcome}.`),
      (error: unknown) => {
        const { code, detail } = problemOf(error);
        if (dialect.publicProtocol && code === "motors-off") {
          // The public daemon plays the move without torque: nothing moves, and nothing fails. Here people are told.
          if (!this.#reportedTypes.has(code)) this.#reportRefused(detail);
          this.#reportedTypes.add(code);
          return void scope.after(clock, 1000 * seconds, () => sendFinished(null));
        }
        return uuid === undefined ? this.#sendError(error) : sendFinished(detail);
      },
    );
  }

  #call(work: () => Promise<void>): Promise<void> {
    return work().catch((error: unknown) => this.#sendError(error));
  }

  #refuse(message: unknown, error: unknown): void {
    this.#sendError(error);
    const { type, uuid } = Object(message) as { type?: unknown; uuid?: unknown };
    const { code, detail } = problemOf(error);
    if (type === "task" && typeof uuid === "string") this.#sendFinished(uuid, detail);
    if (code !== "bad-request" || this.#reportedTypes.has(type) || this.#reportedTypes.size >= MAX_REPORTED_TYPES)
      return;
    this.#reportedTypes.add(type);
    this.#reportRefused(detail);
  }

  #reportRefused(detail: string): void {
    this.#parts.onRefused(`${this.#parts.sender()} sent a message that is refused: ${detail}`);
  }

  /** Sends the end of a move; `error: null` means success to the public SDK. */
  #sendFinished(uuid: string, error: string | null): void {
    const timestamp = new Date(this.#parts.clock.unixTime()).toISOString();
    this.#parts.send({ type: "task_progress", uuid, finished: true, error, timestamp });
  }

  #sendError(error: unknown): void {
    const { code, detail } = problemOf(error);
    this.#parts.send({ type: "error", code, detail });
  }
}

const sentenceOf = ({ client, daemon }: SdkSessionParts["versions"]): string =>
  `The sender is ${formatForMessage(client)}, this is robot-daemon ${daemon}: what a newer SDK sends needs a newer robot-daemon.`;

type Offsets = Extract<PublicMessage, { type: "set_speech_offsets" }>["offsets"];
const NO_OFFSETS: Offsets = [0, 0, 0, 0, 0, 0];
