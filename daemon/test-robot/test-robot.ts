import { SharedBudget } from "../../common/bounded.ts";
import { advanceUntil, advanceUntilSettled, type ManualClock } from "../../common/time/manual-clock.ts";
import type { Picture } from "../../robot/camera/picture.ts";
import { DEFAULT_DIALECT, type Dialect, dialectOfClient } from "../../robot/dialects/dialects.ts";
import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { problemOf } from "../../robot/wire/errors.ts";
import type { FilmRequest, MotionPageData } from "../../robot/wire/film.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../robot/wire/robot/robot-state.ts";
import type { ServerMessage } from "../../robot/wire/robot/sdk-messages.ts";
import type { CameraScene, Scene } from "../../robot/wire/scene/scene-frame.ts";
import { Scope } from "../http/connections/scope.ts";
import type { Route } from "../http/rest/route.ts";
import { type DaemonInfo, daemonStatus, type MediaLease, STATUS_PERIOD_MS } from "../http/sockets/sdk/daemon-status.ts";
import { ALL_RECORDINGS } from "../http/sockets/sdk/motion-recording.ts";
import { SdkSession } from "../http/sockets/sdk/sdk-session.ts";
import { sdkVersionIn } from "../http/sockets/sdk/sdk-socket.ts";
import { stateMessages, touchMessage } from "../http/sockets/sdk/state-messages.ts";
import type { Simulation } from "../robot-client/robot.ts";
import { touchAntenna } from "../robot-client/touch-antenna.ts";
import { RobotController } from "../robot-process/control/robot-controller.ts";
import { TestAudio } from "./test-audio.ts";
import { TestCamera } from "./test-camera.ts";
import type { HttpAnswer, HttpRequest } from "./test-routes.ts";

export interface TestRobotParts {
  clock: ManualClock;
  /** A simulated robot that advances with the clock, and its cable. */
  simulation: {
    open(): Promise<ByteLink>;
    world: Pick<Simulation, "push" | "addObject" | "removeObject">;
    /** Where everything is now. */
    scene(): Scene;
    /** Adds a fault, written as for `robot-sim --fault`. @throws WorkbenchError `usage` */
    addFault(text: string): void;
    endFaults(): void;
  };
  /** What the robot did, seen from outside. */
  film: {
    /** Milliseconds between two moments. */
    readonly periodMs: number;
    /** Records a frame of the present. @param seconds its time since the robot was ready */
    record(seconds: number): void;
    /** @throws WorkbenchError `bad-request` when it cannot be written */
    write(film: FilmRequest): Promise<void>;
  };
  /** Writes a page with a motion, or with two over each other. @throws WorkbenchError `bad-request` when it cannot be written */
  writeMotionPage(file: string, data: MotionPageData): Promise<void>;
  /** Draws what the camera sees, in one width. */
  createRenderer(width: number): (scene: CameraScene) => Picture;
  version: string;
}

/** What has happened since the last report. */
export interface Report {
  /** Seconds since the robot stood ready. */
  time: number;
  /** Messages of the SDK socket, with their times. */
  messages: [time: number, text: string][];
  /** The angles to which the servos are sent, as measured where a motor is off: body_yaw, legs, right and left antenna; radians. */
  goals: [time: number, angles: number[]][];
  /** Messages of the audio socket, with their times: JSON, or samples in base64. */
  audio: [time: number, message: string][];
  /** Answers to what the app has requested of the REST interface, with their times. */
  answers: [time: number, answer: HttpAnswer & { id: number }][];
  /** What the speaker played, with the times: 16-bit samples in base64. */
  played: [time: number, samples: string][];
  /** Events of the robot, with their times. */
  events: [time: number, event: RobotEvent][];
  /** Why the last request of the test failed. */
  error?: string;
}

const emptyReport = () =>
  ({ messages: [], goals: [], audio: [], answers: [], played: [], events: [] }) as Omit<Report, "time">;

/** Milliseconds between two checks whether there is a message to the app. */
const STEP_MS = 10;
/** A time this many seconds ahead counts as reached: rounding errors of sums. */
const TIME_TOLERANCE_S = 1e-6;

/**
 * A robot for tests of apps: the control of the daemon and one session of its SDK socket on a clock that stands still until
 * the test advances it. It stands awake in its default pose, and its app session has begun.
 */
export class TestRobot {
  readonly robot: RobotController;
  readonly parts: TestRobotParts;
  readonly #clock: ManualClock;
  readonly #info: DaemonInfo;
  #session: SdkSession | null = null;
  /** The dialect of the app's SDK, read from the headers of its connection. */
  #dialect: Dialect = DEFAULT_DIALECT;
  readonly #media: MediaLease = { isReleased: false };
  #routes: readonly Route[] | undefined;
  readonly #scope = new Scope();
  #start = 0;
  #report = emptyReport();
  /** Microphone, speaker and audio socket. */
  readonly audio: TestAudio;
  readonly camera: TestCamera;

  private constructor(parts: TestRobotParts) {
    const { clock, simulation, createRenderer, version } = parts;
    this.parts = parts;
    this.#clock = clock;
    this.robot = new RobotController({ open: simulation.open, clock });
    this.audio = new TestAudio({
      clock,
      send: (message) => this.#report.audio.push([this.time, message]),
      onPlayed: (samples) => this.#report.played.push([this.time, samples]),
    });
    this.camera = new TestCamera({ clock, scene: simulation.scene, createRenderer });
    this.#info = {
      robotName: "robot",
      version,
      wireless: false,
      simulated: true,
      hasCamera: true,
      platform: "test",
    };
  }

  /** @throws WorkbenchError when the robot does not wake up */
  static async create(parts: TestRobotParts): Promise<TestRobot> {
    const { clock } = parts;
    const testRobot = new TestRobot(parts);
    const { robot } = testRobot;
    await advanceUntil(clock, () => robot.state.phase === "running");
    await advanceUntilSettled(clock, robot.wakeUp());
    await advanceUntilSettled(clock, robot.endAppSession());
    await robot.beginAppSession({ pid: 0 });
    testRobot.#begin();
    return testRobot;
  }

  /** Seconds since the robot stood ready. */
  get time(): number {
    return (this.#clock.now() - this.#start) / 1000;
  }

  /** Opens the session of the app. @param headers of its request, with names in lower case */
  connect(headers: Readonly<Record<string, string>>): void {
    const { robot } = this;
    this.#dialect = dialectOfClient(headers);
    const session: SdkSession = new SdkSession({
      dialect: this.#dialect,
      sender: () => "The app",
      versions: { client: sdkVersionIn(headers, this.#dialect.clientHeader), daemon: this.#info.version },
      robot,
      owners: new Map(),
      recordings: new SharedBudget(ALL_RECORDINGS),
      clock: this.#clock,
      goToSleep: (id) => robot.goToSleep(id),
      scope: this.#scope,
      // A session that has lost its connection must not send to the one after it.
      send: (message) => this.#session === session && this.#send(message),
      sendText: (json) => this.#session === session && this.#send(JSON.parse(json)),
      onRefused: (message) => this.#warn(message),
      onTooManyTargets: (message) => this.#warn(message),
    });
    this.#session = session;
    this.#sendState(robot.state);
    this.#sendStatus();
  }

  /** Takes a message of the app. */
  receive(text: string): void {
    void this.#session?.receive(text);
  }

  /** Sends a request of the app to the REST interface; a later report has the answer. @param id identifies the answer */
  async request(id: number, httpRequest: HttpRequest): Promise<void> {
    const { callRoute, testRoutes } = await import("./test-routes.ts");
    const { robot, audio, camera } = this;
    if (httpRequest.path.startsWith("/api/camera/")) await camera.prepare();
    const onMoveFailed = (error: unknown) => this.#warn(`A move failed: ${problemOf(error).detail}`);
    const parts = { robot, audio, camera: camera.camera, media: this.#media, info: this.#info, clock: this.#clock };
    this.#routes ??= testRoutes({ ...parts, onMoveFailed });
    void callRoute(this.#routes, httpRequest).then((answer) =>
      this.#report.answers.push([this.time, { id, ...answer }]),
    );
    // Most routes answer at once.
    await this.#clock.advanceAsync(0);
  }

  /** Touches an antenna as a hand does. */
  touch(antenna: "right" | "left"): Promise<void> {
    return touchAntenna(this.parts.simulation.world, this.robot, antenna);
  }

  /** Adds a fault, written as for `robot-sim --fault`; null ends all faults. @throws WorkbenchError `usage` */
  setFault(fault: string | null): void {
    const { simulation } = this.parts;
    if (fault === null) simulation.endFaults();
    else simulation.addFault(fault);
  }

  /** Closes the session of an app that lost its connection. */
  disconnect(): void {
    this.#session = null;
    this.audio.disconnect();
  }

  /** Ends the app session; the robot returns to its default pose. */
  endAppSession(): void {
    this.disconnect();
    void this.robot.endAppSession();
  }

  /** Advances to a time, or to the first message to the app before it. @param time seconds since the robot stood ready */
  async advanceTo(time: number): Promise<void> {
    // The first moment is recorded only now: it shows the objects that the test has added before.
    if (this.time === 0) this.parts.film.record(0);
    for (let left = time - this.time; left > TIME_TOLERANCE_S && !this.#hasMessages; left = time - this.time)
      await this.#clock.advanceAsync(Math.min(STEP_MS, 1000 * left));
  }

  /** What has happened since the last call. */
  takeReport(): Report {
    const report = this.#report;
    this.#report = emptyReport();
    return { time: this.time, ...report };
  }

  get #hasMessages(): boolean {
    const { messages, audio, answers } = this.#report;
    return messages.length + audio.length + answers.length > 0;
  }

  /** Sets the present to time 0 and starts to record reports. */
  #begin(): void {
    this.#start = this.#clock.now();
    this.robot.onState((state) => this.#sendState(state));
    this.robot.onEvent((event) => {
      this.#report.events.push([this.time, event]);
      const message = touchMessage(event);
      // The public protocol has no message for a touch.
      if (message !== undefined && this.#dialect === DEFAULT_DIALECT) this.#send(message);
    });
    this.#scope.repeat(this.#clock, STATUS_PERIOD_MS, () => this.#sendStatus());
    const { film } = this.parts;
    this.#scope.repeat(this.#clock, film.periodMs, () => film.record(this.time));
  }

  #sendState(state: RobotState): void {
    for (const [, text] of stateMessages(state)) this.#report.messages.push([this.time, text]);
    const { headJoints, antennas } = state.sent ?? state;
    this.#report.goals.push([this.time, [...headJoints, ...antennas]]);
  }

  #sendStatus(): void {
    const status = daemonStatus(this.robot, this.#info, this.#media.isReleased);
    // The public SDK warns about any version other than its own.
    this.#send(this.#dialect === DEFAULT_DIALECT ? status : { ...status, version: null });
  }

  #send(message: ServerMessage): void {
    this.#report.messages.push([this.time, JSON.stringify(message)]);
  }

  #warn(message: string): void {
    this.#report.events.push([this.time, { kind: "target_refused", level: "warning", message, data: {} }]);
  }
}
