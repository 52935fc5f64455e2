import path from "node:path";
import { pino } from "pino";
import { Emitter } from "../../common/emitter.ts";
import { type AppHost, createAppHost } from "../../daemon/apps/app-host.ts";
import type { Audio } from "../../daemon/audio/audio.ts";
import type { Camera } from "../../daemon/camera/camera.ts";
import type { HttpOptions, HttpServer } from "../../daemon/http/server.ts";
import type { RobotChildProcess } from "../../daemon/robot-client/process/robot-process.ts";
import type { Robot } from "../../daemon/robot-client/robot.ts";
import { startRobot } from "../../daemon/robot-client/start-robot.ts";
import { type Daemon, startDaemon } from "../../daemon/start/daemon.ts";
import { ProcessClock } from "./clocks.ts";
import { removePackages } from "./python-environment.ts";
import { ScriptedApp } from "./scripted-app.ts";
import { LoopbackConnection, type SdkClient } from "./sdk-client.ts";
import type { VirtualProcess } from "./virtual-machine.ts";
import { VirtualRobotProcess } from "./virtual-robot-process.ts";
import type { World } from "./world.ts";

const none = () => Promise.reject(new Error("no app is edited here"));
const NO_WORKSHOP = { open: none, opened: null, certify: none, reportsFolder: "" };

/** Milliseconds between SIGINT and SIGTERM. */
const GRACE_MS = 5000;

/** The daemon's main process: the program's own parts on a clock that ends with it. */
export class VirtualDaemon implements VirtualProcess {
  readonly pid: number;
  readonly group: number;
  readonly parent = 1;
  readonly name = "robot-daemon";
  readonly environment = {};
  readonly clock: ProcessClock;
  /** The robot process that runs, or the last one. */
  robotChild: VirtualRobotProcess | null = null;
  robot: Robot | null = null;
  /** What serves requests; null while the port is closed. */
  http: HttpOptions | null = null;
  readonly #world: World;
  readonly #dataDir: string;
  readonly #onHosting: (robot: Robot, apps: AppHost) => void;
  #daemon: Daemon | null = null;

  /** @param onHosting called when it hosts apps, before the port is open */
  constructor(world: World, onHosting: (robot: Robot, apps: AppHost) => void) {
    this.#world = world;
    this.#onHosting = onHosting;
    this.pid = world.machine.newPid();
    this.group = this.pid;
    this.clock = new ProcessClock(world.clock);
    world.machine.add(this);
    this.#dataDir = world.disk.mount(this.clock);
  }

  /** As `daemon/commands/run.ts`. Settles when the port is open. */
  async start(): Promise<void> {
    const { clock } = this;
    const world = this.#world;
    const robot = await startRobot({
      entry: new URL("file:///robot-process"),
      link: "serial",
      clock,
      start: (_, previous) => this.#forkRobot(previous),
    });
    this.robot = robot;
    const machine = world.machine.seenBy(this.pid, clock, async (command) => {
      const app = new ScriptedApp(command, this.pid, {
        machine: world.machine,
        clock: new ProcessClock(world.clock),
        random: world.random,
        connect: (client) => this.connect(client),
      });
      return app.main;
    });
    const dataDir = this.#dataDir;
    const apps = await createAppHost({
      dataDir,
      venv: path.join(dataDir, "apps_venv"),
      ...{ uv: null, robot, clock, env: {}, graceMs: GRACE_MS, machine },
      hub: { url: "http://hub.invalid", token: null },
      packages: { recover: async () => undefined, remove: removePackages },
    });
    this.#onHosting(robot, apps);
    this.#daemon = await startDaemon({
      ...{ robot, apps, clock, audio: silence(), camera: NO_CAMERA, scenes: undefined },
      info: { robotName: "robot", version: "0", wireless: false, simulated: true, hasCamera: false, platform: "test" },
      log: pino({ level: "silent" }),
      newId: () => world.nextId(),
      ...{ dashboard: "", host: "127.0.0.1", port: 0, access: { loopback: true, names: [], token: null } },
      ...{ errorsText: "", residentBytes: () => 0, stopOrRestart: () => undefined, workshop: NO_WORKSHOP },
      wakeUpOnStart: true,
      movesFolder: path.join(dataDir, "moves"),
      open: (options) => this.#open(options),
    });
  }

  connect(client: SdkClient): LoopbackConnection | null {
    if (this.http === null || this.clock.isDead) return null;
    return new LoopbackConnection(client, this.http.sockets.sdk, this.clock, this.#world);
  }

  /** Stops as at a signal or a request. */
  async stop(): Promise<void> {
    await this.#daemon?.close();
    this.#world.machine.remove(this.pid);
  }

  onSignal(signal: NodeJS.Signals): void {
    if (signal !== "SIGKILL") return;
    this.#world.machine.remove(this.pid);
    this.http = null;
    this.clock.end();
    this.robotChild?.parentEnded();
  }

  #forkRobot(previous: ConstructorParameters<typeof VirtualRobotProcess>[2]) {
    this.robotChild = new VirtualRobotProcess(this.#world, this, previous);
    return this.robotChild as unknown as RobotChildProcess;
  }

  async #open(options: HttpOptions): Promise<HttpServer> {
    this.http = options;
    return {
      port: 0,
      stopAccepting: () => {
        this.http = null;
      },
      close: async () => {
        options.events.close();
        const { sdk, others } = options.sockets;
        for (const endpoint of [sdk.endpoint, ...others.values()]) endpoint.close();
      },
    };
  }
}

/** Sound and pictures are no part of the simulated world. */
const silence = () => {
  const nothing = new Emitter<never>();
  const on = nothing.on.bind(nothing);
  return { onChange: on, onFault: on, play: () => undefined, close: () => undefined } as unknown as Audio;
};
const NO_CAMERA = { close: () => undefined } as unknown as Camera;
