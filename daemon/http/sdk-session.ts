import { forwardKinematics } from "../../robot/kinematics/forward.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { ClientMessage, type ServerMessage } from "../../robot/wire/sdk-messages.ts";
import type { MoveOutcome, Robot } from "../control/robot.ts";
import { validate } from "./validate.ts";

/** Records kept of one motion recording: ten minutes at 100 Hz. */
const MAX_RECORDS = 60_000;

/** One client of the SDK socket: reads its messages, drives the robot, answers what needs an answer. */
export class SdkSession {
  readonly #robot: Robot;
  readonly #send: (message: ServerMessage) => void;
  readonly #now: () => number;
  #recording: unknown[] | null = null;
  /** When this client last moved the robot (milliseconds since the epoch), 0 when it never did. */
  movedAt = 0;

  constructor(robot: Robot, send: (message: ServerMessage) => void, now: () => number) {
    this.#robot = robot;
    this.#send = send;
    this.#now = now;
  }

  /** Handles one text message; what is wrong with it goes back as a message of type `error`. */
  receive(text: string): void {
    try {
      this.#handle(validate(ClientMessage, parse(text), "message"));
    } catch (error) {
      this.#report(error);
    }
  }

  #handle(message: ClientMessage): void {
    const robot = this.#robot;
    switch (message.type) {
      case "set_full_target":
        return this.#target({ head: message.head, antennas: message.antennas, bodyYaw: message.body_yaw });
      case "set_target":
        return this.#target({ head: message.head });
      case "set_antennas":
        return this.#target({ antennas: message.antennas });
      case "set_body_yaw":
        return this.#target({ bodyYaw: message.body_yaw });
      case "set_head_joints": {
        const [bodyYaw = 0, ...stewart] = message.joints;
        return this.#target({ head: [...forwardKinematics(stewart, bodyYaw)], bodyYaw });
      }
      case "task": {
        const { head, antennas, body_yaw: bodyYaw, duration, method } = message.req;
        const target = { head: head ?? null, antennas: antennas ?? null, bodyYaw: bodyYaw ?? null };
        return this.#task(message.uuid, () => robot.goto({ ...target, duration, method }, message.uuid));
      }
      case "wake_up":
        return this.#task(message.uuid, () => robot.wakeUp(message.uuid));
      case "goto_sleep":
        return this.#task(message.uuid, () => robot.goToSleep(message.uuid));
      case "set_torque":
        return this.#await(robot.setTorque(message.on, message.ids ?? null));
      case "set_motor_mode":
        return this.#await(robot.setMotorMode(message.mode));
      case "set_gravity_compensation":
        return this.#await(robot.setMotorMode(message.enabled ? "gravity_compensation" : "enabled"));
      case "set_automatic_body_yaw":
        return robot.setAutomaticBodyYaw(message.enabled);
      case "start_recording":
        this.#recording = [];
        return;
      case "append_record":
        if (this.#recording && this.#recording.length < MAX_RECORDS) this.#recording.push(message.record);
        return;
      case "stop_recording":
        this.#send({ type: "recorded_data", data: this.#recording ?? [] });
        this.#recording = null;
    }
  }

  #target(target: Parameters<Robot["setTarget"]>[0]): void {
    this.movedAt = this.#now();
    this.#robot.setTarget(target);
  }

  /** Runs a move and reports its end; the peer's client reads `error: null` as success. */
  #task(uuid: string | undefined, move: () => Promise<MoveOutcome>): void {
    this.movedAt = this.#now();
    const finished = (error: string | null): void => {
      if (uuid === undefined) return;
      this.#send({ type: "task_progress", uuid, finished: true, error, timestamp: new Date(this.#now()).toISOString() });
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WorkbenchError("bad-request", `message: not JSON: ${(error as Error).message}`);
  }
}
