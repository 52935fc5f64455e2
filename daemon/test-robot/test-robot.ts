import type { PreciseClock } from "../../common/time/clock.ts";
import { DEFAULT_DIALECT } from "../../robot/dialects/dialects.ts";
import type { ByteLink } from "../../robot/servo/byte-link.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import type { ServerMessage } from "../../robot/wire/robot/sdk-messages.ts";
import { Scope } from "../http/connections/scope.ts";
import { type DaemonInfo, daemonStatus } from "../http/sockets/sdk/daemon-status.ts";
import { SdkSession } from "../http/sockets/sdk/sdk-session.ts";
import { stateMessages } from "../http/sockets/sdk/state-messages.ts";
import type { Simulation } from "../robot-client/robot.ts";
import { createRobot, type RobotController } from "../robot-process/control/robot-controller.ts";

/** A clock that its owner advances: `advanceAsync` runs what is due in the next `ms` milliseconds. */
export interface VirtualClock extends PreciseClock {
  advanceAsync(ms: number): Promise<void>;
}

/** A simulated robot whose time the clock decides. */
export type VirtualSimulation = ByteLink & Pick<Simulation, "push">;

interface TestRobotParts {
  clock: VirtualClock;
  simulation: VirtualSimulation;
  version: string;
}

/** What has happened since the last report. */
export interface Report {
  /** Seconds since the robot stood ready. */
  time: number;
  /** Messages of the SDK socket, with their times. */
  messages: [time: number, text: string][];
  /** Events of the robot, with their times. */
  events: [time: number, event: RobotEvent][];
}

const STATUS_PERIOD_MS = 1000;
/** Milliseconds between two looks for something that the robot does. */
const STEP_MS = 10;
/** Seconds of a time that count as reached: what is left of sums of numbers with a fraction. */
const EXACT_S = 1e-6;
/** Milliseconds that waking up may take. */
const WAKE_UP_MS = 20_000;

/**
 * A robot for tests of apps: the control of the daemon and one session of its SDK socket on a clock that stands still until
 * the test advances it. It stands awake in its default pose, and its app session has begun.
 */
export class TestRobot {
  readonly robot: RobotController;
  readonly #clock: VirtualClock;
  readonly #simulation: VirtualSimulation;
  readonly #info: DaemonInfo;
  readonly #scope = new Scope();
  #session: SdkSession | null = null;
  #start = 0;
  #messages: Report["messages"] = [];
  #events: Report["events"] = [];

  private constructor({ clock, simulation, version }: TestRobotParts) {
    this.#clock = clock;
    this.#simulation = simulation;
    this.robot = createRobot({ open: async () => simulation, clock });
    this.#info = {
      robotName: "robot",
      version,
      wireless: false,
      simulated: true,
      hasCamera: false,
      platform: "test",
    };
  }

  /** @throws WorkbenchError when the robot does not wake up */
  static async create(parts: TestRobotParts): Promise<TestRobot> {
    const made = new TestRobot(parts);
    await made.#until(() => made.robot.state.phase === "running");
    await made.#settle(made.robot.wakeUp());
    await made.#settle(made.robot.endAppSession());
    await made.robot.beginAppSession({ pid: 0 });
    made.#begin();
    return made;
  }

  /** Seconds since the robot stood ready. */
  get time(): number {
    return (this.#clock.now() - this.#start) / 1000;
  }

  /** Opens the session of the app. @param userAgent names the SDK and its version */
  connect(userAgent: string): void {
    const { robot } = this;
    this.#scope.close();
    this.#session = new SdkSession({
      dialect: DEFAULT_DIALECT,
      versions: `The sender is ${userAgent}, this is robot-daemon ${this.#info.version}.`,
      robot,
      clock: this.#clock,
      goToSleep: (id) => robot.goToSleep(id),
      scope: this.#scope,
      send: (message) => this.#send(message),
      onRefused: (detail) => this.#warn(`The app sent a message that is refused: ${detail}`),
      onTooManyTargets: (rate) => this.#warn(`The app sets ${rate} targets per second; the robot follows 100.`),
    });
    this.#sendState(robot.state);
    this.#send(daemonStatus(robot, this.#info));
  }

  /** Takes a message of the app. */
  receive(text: string): void {
    void this.#session?.receive(text);
  }

  /** Touches an antenna as a hand does. @throws WorkbenchError `bad-request` */
  async touch(antenna: string): Promise<void> {
    const force = this.robot.state.motorMode === "enabled" ? 1.5 : 0.4;
    await this.#simulation.push("touch", { body: `${antenna}_antenna`, force: [force, 0, 0] }, 0.25);
  }

  /** The app has ended: the robot returns to its default pose. */
  endAppSession(): void {
    this.#session = null;
    void this.robot.endAppSession();
  }

  /** Advances to a time, or to the first message to the app before it. @param time seconds since the robot stood ready */
  async advanceTo(time: number): Promise<void> {
    for (let left = time - this.time; left > EXACT_S && this.#messages.length === 0; left = time - this.time)
      await this.#clock.advanceAsync(Math.min(STEP_MS, 1000 * left));
  }

  /** What has happened since the last call. */
  takeReport(): Report {
    const report = { time: this.time, messages: this.#messages, events: this.#events };
    [this.#messages, this.#events] = [[], []];
    return report;
  }

  #begin(): void {
    this.#start = this.#clock.now();
    this.robot.onState((state) => this.#sendState(state));
    this.robot.onEvent((event) => {
      this.#events.push([this.time, event]);
      const { antenna } = event.data;
      if (event.kind === "antenna_touched" && (antenna === "right" || antenna === "left"))
        this.#send({ type: "antenna_touched", antenna });
    });
    new Scope().repeat(this.#clock, STATUS_PERIOD_MS, () => this.#send(daemonStatus(this.robot, this.#info)));
  }

  #sendState(state: RobotState): void {
    for (const [, text] of stateMessages(state)) this.#messages.push([this.time, text]);
  }

  #send(message: ServerMessage): void {
    this.#messages.push([this.time, JSON.stringify(message)]);
  }

  #warn(message: string): void {
    this.#events.push([this.time, { kind: "target_refused", level: "warning", message, data: {} }]);
  }

  async #settle(promise: Promise<unknown>): Promise<void> {
    let settled = false;
    const done = promise.finally(() => {
      settled = true;
    });
    done.catch(() => undefined);
    await this.#until(() => settled);
    await done;
  }

  async #until(condition: () => boolean): Promise<void> {
    for (let waited = 0; !condition(); waited += STEP_MS) {
      if (waited > WAKE_UP_MS) throw new Error("the simulated robot did not get ready");
      await this.#clock.advanceAsync(STEP_MS);
    }
  }
}
