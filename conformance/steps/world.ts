import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { After, Status, setDefaultTimeout, setWorldConstructor, World } from "@cucumber/cucumber";
import type { Hub } from "../../assistant/hub/hub.ts";
import type { AppStatus } from "../../robot/wire/apps.ts";
import type { XyzRpy } from "../../robot/wire/robot.ts";
import { startDaemonInProcess } from "../runner/daemon-in-process.ts";
import { authorization, type DaemonUnderTest, type DaemonWish } from "../runner/daemon-under-test.ts";
import { type Happenings, listenTo } from "../runner/happenings.ts";
import { copyVenv } from "../runner/own-venv.ts";
import { type Outlet, type RobotSim, spawnRobotSim } from "../runner/robot-sim.ts";
import { connectToDaemon } from "../runner/running-daemon.ts";
import { spawnDaemon } from "../runner/spawned-daemon.ts";

/** Where `npm test` installed the fixture apps, with the product's own installer. */
const TEST_VENV = join(process.cwd(), "artifacts/test-data/apps_venv");

/** An answer of the daemon. */
export interface Answer {
  status: number;
  body: unknown;
}

const TARGET = process.env.FEATURES_TARGET ?? "in-process";
const OUTLETS: readonly string[] = ["pty", "tcp"];

/** What the steps of one scenario share. */
export class Scene extends World {
  /** The real programs instead of a daemon in this process. */
  spawn = TARGET === "spawn" || OUTLETS.includes(TARGET);
  /** Where a robot-sim stands in for the robot; null when the daemon simulates it itself. */
  outlet: Outlet | null = OUTLETS.includes(TARGET) ? (TARGET as Outlet) : null;
  robotSim: RobotSim | null = null;
  /** False when somebody else runs the daemon, with a data folder that is not known here. */
  readonly isOurs = !TARGET.startsWith("http");
  readonly testVenv = TEST_VENV;
  readonly dataDir = mkdtempSync(join(tmpdir(), "robot-feature-"));
  /** True where the scenario changes the apps' environment, and thus needs one of its own. */
  ownVenv = false;
  /** The local hub, where the scenario has one. */
  hub: Hub | null = null;
  readonly daemons: DaemonUnderTest[] = [];
  answers: Answer[] = [];
  /** Process id of the app that the scenario is about. */
  appPid = 0;
  /** performance.now() of the last request. */
  requestedAt = 0;
  /** Where the head was before somebody touched it. */
  headBefore: XyzRpy | undefined;
  #happenings: Happenings | undefined;

  get daemon(): DaemonUnderTest {
    const daemon = this.daemons.at(-1);
    if (!daemon) throw new Error("the scenario has no daemon yet");
    return daemon;
  }

  /** What the latest daemon has told since it answered. */
  get happenings(): Happenings {
    if (!this.#happenings) throw new Error("nobody listens yet");
    return this.#happenings;
  }

  get answer(): Answer {
    const answer = this.answers.at(-1);
    if (!answer) throw new Error("the scenario made no request yet");
    return answer;
  }

  async startDaemon(wish: Partial<DaemonWish> = {}): Promise<void> {
    this.daemons.push(await this.#daemon(wish));
    this.stopListening();
    this.#happenings = await listenTo(this.daemon);
  }

  stopListening(): void {
    this.#happenings?.close();
  }

  async #daemon(wish: Partial<DaemonWish>): Promise<DaemonUnderTest> {
    const usual = { dataDir: this.dataDir, startupApp: null, wakeUpOnStart: true, gracePeriod: 1 };
    const full = { ...usual, ...(this.hub ? { hubUrl: this.hub.url } : {}), ...wish };
    if (!this.isOurs) return connectToDaemon(TARGET, process.env.ROBOT_DAEMON_TOKEN ?? null);
    if (this.outlet !== null && full.serialport === undefined) this.robotSim ??= await spawnRobotSim(this.outlet);
    const wired = this.robotSim === null ? full : { ...full, serialport: this.robotSim.address };
    mkdirSync(this.dataDir, { recursive: true });
    if (this.daemons.length === 0) (this.ownVenv ? copyVenv : symlinkSync)(TEST_VENV, join(this.dataDir, "apps_venv"));
    return this.spawn ? spawnDaemon(wired) : startDaemonInProcess(wired);
  }

  request(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.requestText(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** A request whose body is this text, whatever it is. */
  async requestText(method: string, path: string, body: string | undefined): Promise<Answer> {
    const response = await fetch(`${this.daemon.url}${path}`, {
      method,
      signal: AbortSignal.timeout(20_000),
      ...(body === undefined ? {} : { body }),
      headers: {
        ...authorization(this.daemon.token),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  }

  async get<T>(path: string): Promise<T> {
    return (await this.request("GET", path)).body as T;
  }

  /** Newtons on a body of the simulated robot, wherever that is simulated. */
  async push(body: string, force: readonly [number, number, number], seconds: number): Promise<void> {
    if (this.robotSim !== null) return this.robotSim.push(body, force, seconds);
    const { status, body: answer } = await this.request("POST", "/api/simulation/push", { body, force, seconds });
    if (status !== 200) throw new Error(`the push was answered with ${status}: ${JSON.stringify(answer)}`);
  }

  slot(): Promise<AppStatus | null> {
    return this.get("/api/apps/current-app-status");
  }
}

setWorldConstructor(Scene);
setDefaultTimeout(60_000);

After(async function (this: Scene, { result }) {
  const programs = [...this.daemons, ...(this.robotSim === null ? [] : [this.robotSim])];
  if (result?.status === Status.FAILED && programs.length > 0)
    this.attach(programs.map((program) => program.output()).join("\n"), "text/plain");
  this.stopListening();
  for (const program of programs) await program.close();
  rmSync(this.dataDir, { recursive: true, force: true });
});
