import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { After, Before, Status, setDefaultTimeout, setWorldConstructor, World } from "@cucumber/cucumber";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import type { ProcessIdentity } from "../../../common/machine/process-table.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import type { Hub } from "../../../fixtures/hub/server/hub.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { XyzRpy } from "../../../robot/wire/robot/robot-fields.ts";
import { type RobotSim, type RobotSimTransport, spawnRobotSim } from "../../../sim/process/spawn-robot-sim.ts";
import { connectToDaemon } from "../../runner/daemon/connect-to-daemon.ts";
import type { DaemonHandle, DaemonOptions } from "../../runner/daemon/daemon-handle.ts";
import { requestDaemon } from "../../runner/daemon/request-daemon.ts";
import { spawnDaemon } from "../../runner/daemon/spawn-daemon.ts";
import { type EventStream, openEventStream } from "../../runner/observe/event-stream.ts";
import { PEER_VENV, startPeerDaemon } from "./peer-daemon.ts";
import { returnSharedDaemon, type SharedDaemon, takeSharedDaemon } from "./shared-daemon.ts";
import { startDaemonHere } from "./start-daemon-here.ts";

/** The Python environment into which `npm test` has installed the fixture apps. */
const TEST_VENV = join(process.cwd(), "artifacts/test-data/apps_venv");

/** A response of the daemon. */
interface Answer {
  status: number;
  /** The parsed JSON; null for an empty response. */
  body: unknown;
}

/**
 * What the scenarios judge; cucumber.mjs has the values. With `peer` it is the public daemon with its own SDK, instead of
 * ours: `npm run ecosystem -- threads`.
 */
const TARGET = process.env.FEATURES_TARGET ?? "in-process";
const TRANSPORTS: readonly string[] = ["pty", "tcp"];
const IS_PEER = TARGET === "peer";

/** Whether daemons keep a started Python interpreter ready for the next app. The scenarios must pass with and without. */
const warmStart = process.env.FEATURES_WARM_START !== "no";
/** Seconds that an app has to end on SIGINT: so long that each does that can, also on a busy machine. */
const GRACE_PERIOD = 60;
const DEFAULTS = { startupApp: null, wakeUpOnStart: true, gracePeriod: GRACE_PERIOD, warmStart };

/** State that the steps of one scenario share. */
export class ScenarioWorld extends World {
  /** Whether the scenario starts the real programs instead of a daemon in this process. */
  spawn = TARGET === "spawn" || TRANSPORTS.includes(TARGET);
  /** How the daemon reaches a robot-sim; null when it simulates the robot itself. */
  robotSimTransport: RobotSimTransport | null = TRANSPORTS.includes(TARGET)
    ? (TARGET as RobotSimTransport)
    : IS_PEER
      ? "pty"
      : null;
  robotSim: RobotSim | null = null;
  /** Whether the scenario judges the public daemon. */
  readonly isPublicDaemon = IS_PEER;
  /** Whether the tests start our daemon; if not, its data folder is unknown. */
  readonly startsDaemons = !TARGET.startsWith("http") && !IS_PEER;
  readonly testVenv = IS_PEER ? PEER_VENV : TEST_VENV;
  /** The module of the SDK that apps of the daemon import. */
  readonly sdkModule = IS_PEER ? "reachy_mini" : "robot_sdk";
  dataDir = mkdtempSync(join(tmpdir(), "robot-feature-"));
  /** Milliseconds since the Unix epoch. */
  readonly startedAt = Date.now();
  /** Whether the scenario may use a daemon that earlier scenarios used, because it needs no options of its own. */
  canShareDaemon = false;
  sharedDaemon: SharedDaemon | undefined;
  /** True when the scenario changes the apps' environment, so that it needs its own copy. */
  ownVenv = false;
  /** The hub, if the scenario starts one. */
  hub: Pick<Hub, "url" | "close"> | null = null;
  /** Called at the end, before the data folder is removed: a scenario that changed its permissions restores them. */
  restorePermissions: () => void = () => {};
  /** Seconds that the app of the scenario has to end on SIGINT. */
  gracePeriod = GRACE_PERIOD;
  /** Environment variables of the scenario's daemons, besides those of this process. */
  env: Record<string, string> = {};
  /** The daemons of the scenario, the latest last. */
  readonly daemons: DaemonHandle[] = [];
  /** Responses to the latest requests. */
  answers: Answer[] = [];
  /** The main process of the app that the scenario is about. */
  app: ProcessIdentity | undefined;
  /** Head pose before the head was pushed: metres, radians. */
  headBefore: XyzRpy | undefined;
  #eventStream: EventStream | undefined;

  get daemon(): DaemonHandle {
    const daemon = this.daemons.at(-1);
    if (!daemon) throw new Error("the scenario has no daemon yet");
    return daemon;
  }

  /** Events and states of the latest daemon since it answered. */
  get eventStream(): EventStream {
    if (!this.#eventStream) throw new Error("the scenario has no daemon yet");
    return this.#eventStream;
  }

  get answer(): Answer {
    const answer = this.answers.at(-1);
    if (!answer) throw new Error("the scenario made no request yet");
    return answer;
  }

  /** Starts a daemon, or connects to the one of `FEATURES_TARGET`, and opens its event stream. */
  async startDaemon(options: Partial<DaemonOptions> = {}): Promise<void> {
    this.daemons.push(await this.#start(options));
    this.closeEventStream();
    // The public daemon has no events.
    this.#eventStream = IS_PEER ? undefined : await openEventStream(this.daemon);
  }

  /**
   * Takes the shared daemon where the scenario may use it, otherwise starts one.
   * @param untilAwake resolves when the robot of the latest daemon is awake
   */
  async startAwakeDaemon(untilAwake: () => Promise<void>): Promise<void> {
    if (this.canShareDaemon && this.daemons.length === 0) {
      this.sharedDaemon = await takeSharedDaemon(TEST_VENV, async (dataDir) => {
        const daemon = await (this.spawn ? spawnDaemon : startDaemonHere)({ ...DEFAULTS, dataDir });
        this.daemons.push(daemon);
        await untilAwake();
        return daemon;
      });
      rmSync(this.dataDir, { recursive: true, force: true });
      this.dataDir = this.sharedDaemon.dataDir;
      this.daemons.splice(0, 1, this.sharedDaemon.handle);
      this.#eventStream = await openEventStream(this.daemon);
    } else {
      await this.startDaemon();
      await untilAwake();
    }
    this.#eventStream?.clear();
  }

  /** Process id of the latest daemon. @throws Error for one that the tests did not start */
  get daemonPid(): number {
    const { pid, url } = this.daemon;
    if (pid === null) throw new Error(`the process id of the daemon at ${url} is unknown`);
    return pid;
  }

  /** Process id of the app that the scenario is about. @throws Error before one runs */
  get appPid(): number {
    if (!this.app) throw new Error("no app of the scenario has run yet");
    return this.app.pid;
  }

  closeEventStream(): void {
    this.#eventStream?.close();
  }

  async #start(options: Partial<DaemonOptions>): Promise<DaemonHandle> {
    const hub = this.hub ? { hubUrl: this.hub.url } : {};
    const { dataDir, gracePeriod } = this;
    const full = { ...DEFAULTS, dataDir, gracePeriod, env: this.env, ...hub, ...options };
    if (!this.startsDaemons && !IS_PEER) return connectToDaemon(TARGET, process.env.ROBOT_DAEMON_TOKEN ?? null);
    if (this.robotSimTransport !== null && full.serialport === undefined)
      this.robotSim ??= await spawnRobotSim(this.robotSimTransport);
    if (IS_PEER) {
      const { startupApp } = full;
      return startPeerDaemon({ device: this.robotSim?.address ?? null, configFolder: this.dataDir, startupApp });
    }
    const connected = this.robotSim === null ? full : { ...full, serialport: this.robotSim.address };
    mkdirSync(this.dataDir, { recursive: true });
    if (this.daemons.length === 0) (this.ownVenv ? copyTree : symlinkSync)(TEST_VENV, join(this.dataDir, "apps_venv"));
    return this.spawn ? spawnDaemon(connected) : startDaemonHere(connected);
  }

  /**
   * Sends a request, with its body as JSON; a text is sent as it is, valid or not.
   * @throws TimeoutError after the deadline of a step; no status is an error
   */
  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await requestDaemon(this.daemon, { method, path, body, seconds: DEADLINE_MS / 1000 });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  }

  /** The body of a GET request, whatever its status. */
  async get<T>(path: string): Promise<T> {
    return (await this.request("GET", path)).body as T;
  }

  /** Log lines of an app since the scenario began; a shared daemon also keeps those of earlier scenarios. */
  async logLines(app: string): Promise<string[]> {
    const { lines } = await this.get<{ lines: { time: number; text: string }[] }>(`/api/apps/logs/${app}`);
    return lines.filter(({ time }) => time >= this.startedAt).map(({ text }) => text);
  }

  /** Pushes a body of the simulated robot, in the daemon or in robot-sim: newtons in the world frame, seconds. */
  async push(body: string, force: readonly [number, number, number], seconds: number): Promise<void> {
    if (this.robotSim !== null) return this.robotSim.push(body, force, seconds);
    const { status, body: answer } = await this.request("POST", "/api/simulation/push", { body, force, seconds });
    if (status !== 200) throw new Error(`the push was answered with ${status}: ${JSON.stringify(answer)}`);
  }

  /** Touches an antenna of the simulated robot, `right` or `left`, as the dashboard does. */
  async touch(antenna: string): Promise<void> {
    if (this.robotSim !== null) {
      const { mode } = await this.get<{ mode: string }>("/api/motors/status");
      return this.robotSim.push(`${antenna}_antenna`, [mode === "enabled" ? 1.5 : 0.4, 0, 0], 0.25);
    }
    const { status, body } = await this.request("POST", `/api/simulation/touch/${antenna}`);
    if (status !== 200) throw new Error(`the touch was answered with ${status}: ${JSON.stringify(body)}`);
  }

  /** The app in the slot, or null. */
  slot(): Promise<AppStatus | null> {
    return this.get("/api/apps/current-app-status");
  }
}

setWorldConstructor(ScenarioWorld);
setDefaultTimeout(180_000);

Before({ tags: "not @own-daemon and not @spawn" }, function (this: ScenarioWorld) {
  this.canShareDaemon = TARGET === "in-process" || TARGET === "spawn";
});

Before({ tags: "@short-grace-period" }, function (this: ScenarioWorld) {
  this.gracePeriod = 2;
});

Before({ tags: "@sim" }, function (this: ScenarioWorld) {
  if (IS_PEER) this.robotSimTransport = null;
});

After(async function (this: ScenarioWorld, { result }) {
  const programs = [...this.daemons, ...(this.robotSim === null ? [] : [this.robotSim])];
  if (result?.status === Status.FAILED && programs.length > 0)
    this.attach(programs.map((program) => program.output()).join("\n"), "text/plain");
  this.closeEventStream();
  if (this.sharedDaemon !== undefined) {
    await returnSharedDaemon(this.sharedDaemon, result?.status === Status.PASSED && this.daemons.length === 1);
  } else {
    for (const program of programs) await program.close();
    this.restorePermissions();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
});
