import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { MotorMode, RobotPhase } from "../../robot/wire/robot.ts";
import type { PreciseClock } from "../clock.ts";
import type { RobotFound } from "../hardware/bring-up.ts";
import { Connection } from "../hardware/connection.ts";
import type { Finding } from "../hardware/watch.ts";
import { Body } from "./body.ts";
import { Listeners } from "./listeners.ts";
import { ControlLoop } from "./loop.ts";
import { Mover } from "./mover.ts";
import type { RobotEvent, RobotState } from "./robot.ts";
import { blankState, measuredState } from "./state.ts";
import { TargetStore } from "./target-store.ts";
import { Throttle } from "./throttle.ts";
import { TouchSensors } from "./touch.ts";
import { WorkQueue } from "./work-queue.ts";

const PERIOD_MS = 10;
/** Ticks from one published state, and from one touch sample, to the next: 50 Hz. */
const PUBLISH_EVERY = 2;
/** Seconds: a move does not make up for a longer stall, it goes on from where it was. */
const LONGEST_STEP = 0.05;

/** What a robot is brought back to after its process was lost: held where it is, if its motors were on. */
export type Before = Pick<RobotState, "awake" | "motorMode">;
const ASLEEP: Before = { awake: false, motorMode: "disabled" };

/**
 * The 100 Hz loop. Everything that touches the bus happens inside its ticks, one after another: each reads the joints,
 * does what calls have asked for, sends the next goals and looks after the servos' health.
 */
export class Engine {
  state: RobotState;
  awake: boolean;
  /** What calls want done inside a tick. */
  readonly work = new WorkQueue<Body>();
  readonly mover = new Mover();
  readonly targets = new TargetStore();
  readonly states = new Listeners<RobotState>();
  readonly events = new Listeners<RobotEvent>();
  readonly throttle: Throttle;
  readonly #clock: PreciseClock;
  readonly #connection: Connection;
  readonly #loop: ControlLoop;
  readonly #touch = new TouchSensors();
  /** Joints whose servo has shut down. */
  readonly #faulty = new Set<number>();
  #body: Body | undefined;
  #phase: RobotPhase = "not_initialized";
  #error: string | null = null;
  #modeBeforeLoss: MotorMode;
  #ticks = 0;

  constructor(open: () => Promise<ByteLink>, clock: PreciseClock, before: Before = ASLEEP) {
    this.awake = before.awake;
    this.#modeBeforeLoss = before.motorMode;
    this.#clock = clock;
    this.throttle = new Throttle(clock);
    this.#loop = new ControlLoop(clock, PERIOD_MS, (elapsedMs) => this.#tick(elapsedMs / 1000));
    this.#connection = new Connection({
      open,
      clock,
      onUp: (found) => this.#up(found),
      onDown: (why) => this.#down(why),
    });
    this.state = blankState(clock.unixTime() / 1000);
  }

  get body(): Body | undefined {
    return this.#body;
  }

  start(): void {
    this.#enter("starting", null);
    this.#connection.start();
    this.#loop.start();
  }

  /** Ends loop and link; goals and torque stay as they are. */
  async stop(): Promise<void> {
    this.#enter("stopping", null);
    await this.#loop.stop();
    await this.#connection.close();
    this.#lose("The daemon is shutting down.");
    this.#enter("stopped", null);
  }

  /**
   * The body, when it can be moved.
   *
   * @throws WorkbenchError `robot-not-ready`, `robot-fault` or `motors-off`
   */
  ready(): Body {
    const body = this.#body;
    if (body === undefined) throw new WorkbenchError("robot-not-ready", this.#error ?? `The robot is ${this.#phase}.`);
    if (this.#error !== null) throw new WorkbenchError("robot-fault", this.#error);
    const { mode } = body.motors;
    if (mode === "enabled") return body;
    const off = mode === "disabled" ? "The motors are off" : "The motors only hold the robot's weight";
    throw new WorkbenchError(
      "motors-off",
      `${off} (mode ${mode}). Wake the robot up or set the motor mode to enabled.`,
    );
  }

  /** Torque on all joints without a jump, the end of any fault: servos that have shut down are restarted first. */
  async hold(body: Body): Promise<void> {
    await this.changeMode(body, async () => {
      await body.motors.restart([...this.#faulty]);
      this.#faulty.clear();
      await body.hold();
    });
    this.#enter("running", null);
  }

  /** Runs a change of torque and tells of the mode that comes of it. Whoever gets torque by it stays where it is. */
  async changeMode(body: Body, change: () => Promise<void>): Promise<void> {
    const { mode: before, torque } = body.motors;
    const had = [...torque];
    await change();
    const { mode } = body.motors;
    if (torque.some((on, joint) => on && !had[joint])) this.targets.set(undefined);
    if (mode !== "enabled") this.mover.end("cancelled");
    if (mode !== before) this.tell("motor_mode", "info", `Motor mode: ${mode}.`, { mode });
  }

  /** Tells of something that has happened; the state that goes with it is published first. */
  tell(kind: RobotEvent["kind"], level: RobotEvent["level"], message: string, data: RobotEvent["data"] = {}): void {
    this.#publish();
    this.events.tell({ kind, level, message, data });
  }

  async #tick(seconds: number): Promise<void> {
    const body = this.#body;
    if (body !== undefined) {
      await this.#control(body, Math.min(seconds, LONGEST_STEP)).catch((error: Error) => this.#stopShort(error));
    }
    if (++this.#ticks % PUBLISH_EVERY !== 0) return;
    if (body !== undefined) this.#feelAntennas(body);
    this.#publish();
  }

  async #control(body: Body, seconds: number): Promise<void> {
    await body.servos.readPresent();
    await this.work.run(body);
    await this.#drive(body, seconds);
    for (const finding of await body.watch.check(body.motors.torque)) this.#heed(finding, body);
  }

  /** A defect of this program must neither end the loop nor move the robot. */
  #stopShort(error: Error): void {
    this.targets.set(undefined);
    this.mover.fail(error);
    const message = `The control loop failed and stays where it is: ${error.stack}`;
    this.throttle.run("internal", (held) => this.tell("fault", "error", message, { held }));
  }

  async #drive(body: Body, seconds: number): Promise<void> {
    const { mode } = body.motors;
    if (mode === "disabled" || body.servos.isDeaf) return;
    if (mode === "gravity_compensation") return body.support();
    if (this.mover.current === null && this.targets.goal === undefined) return body.stay();
    if (body.recovering) return body.recover(seconds);
    const step = this.mover.advance(seconds, body.posture, body.settled);
    if (step !== undefined) this.targets.set(step.waypoint);
    for (const cue of step?.cues ?? []) this.tell("cue", "info", `Cue: ${cue}.`, { cue });
    const clipped = await body.drive(this.targets.goal ?? body.posture, this.targets.automaticBodyYaw, seconds);
    if (clipped !== undefined)
      this.throttle.run("target_clipped", (held) => {
        this.tell("target_clipped", "warning", clipped, { held });
      });
  }

  #heed(finding: Finding, body: Body): void {
    if (finding.kind === "silent") {
      this.#connection.drop(finding.message);
      return;
    }
    const { joint, message } = finding;
    this.tell("fault", finding.kind === "warning" ? "warning" : "error", message, { joint });
    if (finding.kind === "warning") return;
    body.motors.torque[joint] = false;
    this.#faulty.add(joint);
    this.targets.set(undefined);
    this.mover.fail(new WorkbenchError("robot-fault", message));
    this.#enter("error", message);
  }

  #feelAntennas({ servos, motors }: Body): void {
    const commanded = (joint: number): number | null =>
      motors.mode === "enabled" && motors.torque[joint] ? (motors.sent[joint] ?? null) : null;
    const [right, left] = [7, 8];
    const measured = [servos.position[right] ?? 0, servos.position[left] ?? 0] as const;
    for (const antenna of this.#touch.sample(measured, [commanded(right), commanded(left)], this.#clock.now())) {
      this.tell("antenna_touched", "info", `The ${antenna} antenna was touched.`, { antenna });
    }
  }

  #up(found: RobotFound): void {
    const body = new Body(found, this.#clock);
    this.#body = body;
    this.#faulty.clear();
    this.targets.set(undefined);
    this.work.open();
    for (const message of found.cleared) this.tell("fault", "warning", message);
    this.#enter("running", null);
    if (this.#modeBeforeLoss === "enabled") void this.work.add((again) => this.hold(again)).catch(() => undefined);
  }

  #down(why: string): void {
    this.#lose(why);
    this.#enter("error", why);
  }

  #lose(why: string): void {
    if (this.#body !== undefined) this.#modeBeforeLoss = this.#body.motors.mode;
    this.#body = undefined;
    this.work.close(why);
    this.mover.fail(new WorkbenchError("robot-not-ready", why));
  }

  #enter(phase: RobotPhase, error: string | null): void {
    if (phase === this.#phase && error === this.#error) return;
    this.#phase = phase;
    this.#error = error;
    this.tell("phase", error === null ? "info" : "error", error ?? `The robot is ${phase}.`, { phase });
  }

  #publish(): void {
    const { frequencyHz, periodP50Ms, periodP99Ms, missed } = this.#loop.statistics;
    const body = this.#body;
    this.state = {
      ...this.state,
      ...(body === undefined ? { sent: null } : measuredState(body)),
      timestamp: this.#clock.unixTime() / 1000,
      phase: this.#phase,
      awake: this.awake,
      move: this.mover.current,
      loop: { frequencyHz, periodP50Ms, periodP99Ms, missed, busErrors: body?.servos.bus.counters.lost ?? 0 },
      error: this.#error,
    };
    this.states.tell(this.state);
  }
}
