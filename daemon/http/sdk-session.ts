import { forwardKinematics } from "../../robot/kinematics/forward.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { ClientMessage, type ServerMessage } from "../../robot/wire/sdk-messages.ts";
import type { MoveOutcome, Robot, Target } from "../control/robot.ts";
import { parseJson, validate } from "./validate.ts";

/** Records kept of one motion recording: ten minutes at 100 Hz. */
const MAX_RECORDS = 60_000;
/** Kinds of messages that are complained of, once each: loops send the same nonsense fifty times a second. */
const MAX_COMPLAINTS = 20;

export interface SdkSessionParts {
  robot: Robot;
  /** Reaches the client. */
  send(message: ServerMessage): void;
  /** Told why a message was refused, for people to see: many clients skip messages of type `error`. */
  onRefused(detail: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** One client of the SDK socket: reads its messages, drives the robot, answers what needs an answer. */
export class SdkSession {
  readonly #robot: Robot;
  readonly #send: (message: ServerMessage) => void;
  readonly #now: () => number;
  readonly #onRefused: (detail: string) => void;
  readonly #complainedOf = new Set<unknown>();
  #recording: unknown[] | null = null;
  /** When this client last moved the robot (milliseconds since the epoch), 0 when it never did. */
  movedAt = 0;

  constructor({ robot, send, onRefused, now }: SdkSessionParts) {
    this.#robot = robot;
    this.#send = send;
    this.#onRefused = onRefused;
    this.#now = now;
  }

  /** Handles one text message; what is wrong with it goes back as a message of type `error`, and ends its move. */
  receive(text: string): void {
    let message: unknown;
    try {
      message = parseJson(text);
      this.#handle(validate(ClientMessage, message, "message"));
    } catch (error) {
      this.#report(error);
      const { type, uuid } = Object(message) as { type?: unknown; uuid?: unknown };
      const { code, detail } = problemOf(error);
      if (type === "task" && typeof uuid === "string") this.#finished(uuid, detail);
      if (code !== "bad-request" || this.#complainedOf.has(type) || this.#complainedOf.size >= MAX_COMPLAINTS) return;
      this.#complainedOf.add(type);
      this.#onRefused(detail);
    }
  }

  #handle(message: ClientMessage): void {
    const robot = this.#robot;
    switch (message.type) {
      case "set_full_target":
        this.#target(targetOf(message));
        break;
      case "set_target":
        this.#target({ head: message.head });
        break;
      case "set_antennas":
        this.#target({ antennas: message.antennas });
        break;
      case "set_body_yaw":
        this.#target({ bodyYaw: message.body_yaw });
        break;
      case "set_head_joints": {
        const [bodyYaw, ...stewart] = message.joints;
        const head = forwardKinematics(stewart, bodyYaw);
        if (!head) throw new WorkbenchError("target-refused", `No head pose has the joints ${stewart.join(", ")} rad.`);
        this.#target({ head, bodyYaw });
        break;
      }
      case "task": {
        const { duration, method } = message.req;
        const request = { ...targetOf(message.req), duration, method };
        this.#task(message.uuid, () => robot.goto(request, message.uuid));
        break;
      }
      case "wake_up":
        this.#task(message.uuid, () => robot.wakeUp(message.uuid));
        break;
      case "goto_sleep":
        this.#task(message.uuid, () => robot.goToSleep(message.uuid));
        break;
      case "set_torque":
        this.#await(robot.setTorque(message.on, message.ids ?? null));
        break;
      case "set_motor_mode":
        this.#await(robot.setMotorMode(message.mode));
        break;
      case "set_gravity_compensation":
        this.#await(robot.setMotorMode(message.enabled ? "gravity_compensation" : "enabled"));
        break;
      case "set_automatic_body_yaw":
        robot.setAutomaticBodyYaw(message.enabled);
        break;
      case "start_recording":
        this.#recording = [];
        break;
      case "append_record":
        if (this.#recording && this.#recording.length < MAX_RECORDS) this.#recording.push(message.record);
        break;
      case "stop_recording":
        this.#send({ type: "recorded_data", data: this.#recording ?? [] });
        this.#recording = null;
    }
  }

  #target(target: Target): void {
    this.movedAt = this.#now();
    this.#robot.setTarget(target);
  }

  /** Reports the end of a move; the peer's client reads `error: null` as success. */
  #finished(uuid: string, error: string | null): void {
    const timestamp = new Date(this.#now()).toISOString();
    this.#send({ type: "task_progress", uuid, finished: true, error, timestamp });
  }

  /** Runs a move and reports its end. */
  #task(uuid: string | undefined, move: () => Promise<MoveOutcome>): void {
    this.movedAt = this.#now();
    const finished = (error: string | null): void => {
      if (uuid !== undefined) this.#finished(uuid, error);
    };
    move().then(
      (outcome) => finished(outcome === "finished" ? null : `The move was ${outcome}.`),
      (error: unknown) => (uuid === undefined ? this.#report(error) : finished(problemOf(error).detail)),
    );
  }

  #await(work: Promise<void>): void {
    work.catch((error: unknown) => this.#report(error));
  }

  #report(error: unknown): void {
    const { code, detail } = problemOf(error);
    this.#send({ type: "error", code, detail });
  }
}

interface WireTarget {
  head?: number[] | null | undefined;
  antennas?: [number, number] | null | undefined;
  body_yaw?: number | null | undefined;
}

const targetOf = ({ head, antennas, body_yaw }: WireTarget): Target => ({
  head: head ?? null,
  antennas: antennas ?? null,
  bodyYaw: body_yaw ?? null,
});
