import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import * as appClass from "../../assistant/check/app-class-missing.ts";
import { appUses } from "../../assistant/check/app-uses.ts";
import { openWorkshop } from "../../assistant/workshop/open-workshop.ts";
import { NO_PACKAGE_INDEX, UNREACHABLE_HUB } from "../../common/machine/offline.ts";
import { systemClock } from "../../common/time/clock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { createRenderer } from "../../sim/camera/renderer.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";
import { createAppHost } from "../apps/app-host.ts";
import { createAudio } from "../audio/audio.ts";
import { Camera } from "../camera/camera.ts";
import { LocalFrameMaker } from "../camera/pictures/local-frame-maker.ts";
import { chooseCameraSource, openCameraFile } from "../camera/sources/choose-source.ts";
import { setDaemonAddress } from "../network/addresses.ts";
import { SceneFeed } from "../robot-client/scene-feed.ts";
import { RobotController } from "../robot-process/control/robot-controller.ts";
import { linkAddress, openLink } from "../robot-process/hardware/link/open.ts";
import { reconnectingSimulation } from "../robot-process/reconnecting-simulation.ts";
import { startDaemon, type WorkshopOptions } from "../start/daemon.ts";
import { findUv } from "../start/prepare.ts";
import type { Certify } from "../workshop/workshop-certifications.ts";

/** How to start a daemon in this process. */
interface InProcessDaemonOptions {
  dataDir: string;
  startupApp: string | null;
  wakeUpOnStart: boolean;
  /** Seconds between SIGINT and SIGTERM. */
  gracePeriod: number;
  /** Access token that it asks for; none unless given. */
  token?: string;
  /** Address of the hub; unless given, one that does not answer. */
  hubUrl?: string;
  /** Address of a robot-sim; the daemon simulates the robot itself unless given. */
  serialport?: string;
  /** Whether the simulated robot has the wireless robot's inertial sensor. Default false. */
  inertialSensor?: boolean;
  /** As the option --camera. */
  camera?: string;
  /** WAV file that stands in for the robot's microphone. */
  microphone?: string;
  /** Whether an interpreter waits for the next start of the app that ran last. Default true. */
  warmStart?: boolean;
  /**
   * Folder of the app that can be edited over HTTP, and the secret that this takes. Its certifications give no verdict unless
   * the test says how to certify.
   */
  workshop?: { folder: string; secret: string; certify?: Certify };
  /** Environment variables of the daemon's apps, besides those of this process. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** A daemon that runs in this process. */
interface InProcessDaemon {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** What it logged so far. */
  output(): string;
  /** Disconnects the simulated robot, as unplugging its cable does. */
  unplugRobot(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the daemon in this process with all its parts: robot, simulator, app host, audio, and HTTP on a free port of
 * 127.0.0.1.
 */
export async function startDaemonInProcess(options: InProcessDaemonOptions): Promise<InProcessDaemon> {
  let output = "";
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      output += chunk;
      done();
    },
  });
  const { serialport, inertialSensor = false } = options;
  const choice = options.camera ?? null;
  const file = await openCameraFile(choice, serialport === undefined, systemClock);
  let pluggedIn = true;
  let simulatorLink: Awaited<ReturnType<typeof createLocalLink>>["link"] | undefined;
  const simulator = reconnectingSimulation(async () => {
    if (!pluggedIn) throw new WorkbenchError("robot-not-found", "The robot is unplugged.");
    ({ link: simulatorLink } = await createLocalLink({ now: () => performance.now(), seed: 1, inertialSensor }));
    return simulatorLink;
  });
  const connection = serialport === undefined ? simulator : { open: () => openLink(linkAddress(serialport)) };
  const robot = new RobotController({ ...connection, hasInertialSensor: inertialSensor, clock: systemClock });
  const scenes = robot.simulation && new SceneFeed(robot.simulation);
  const source = chooseCameraSource(choice, file, scenes, systemClock);
  const camera = new Camera(source, new LocalFrameMaker(createRenderer), systemClock);
  const env: NodeJS.ProcessEnv = { ...process.env, ...NO_PACKAGE_INDEX, ...options.env };
  const apps = await createAppHost({
    dataDir: options.dataDir,
    venv: join(options.dataDir, "apps_venv"),
    uv: await findUv(env),
    robot,
    clock: systemClock,
    env,
    startupApp: options.startupApp,
    hub: { url: options.hubUrl ?? UNREACHABLE_HUB, token: null },
    graceMs: options.gracePeriod * 1000,
    warmStart: options.warmStart ?? true,
    reader: { ...appClass, appUses },
  });
  const daemon = await startDaemon({
    robot,
    audio: await createAudio({
      dataDir: options.dataDir,
      clock: systemClock,
      device: null,
      recording: options.microphone ?? null,
      env,
    }),
    scenes,
    camera,
    apps,
    info: {
      robotName: "robot",
      version: "0.0.0-test",
      wireless: false,
      simulated: serialport === undefined,
      hasCamera: camera.kind !== "none",
      platform: type(),
    },
    log: pino({ level: "debug" }, sink),
    clock: systemClock,
    newId: randomUUID,
    dashboard: "dist/dashboard",
    host: "127.0.0.1",
    port: 0,
    access: { loopback: true, names: [], token: options.token ?? null },
    errorsText: readFileSync("docs/errors.md", "utf8"),
    residentBytes: () => process.memoryUsage.rss(),
    // A request to stop the daemon must not end the test process.
    stopOrRestart: () => {},
    onOpen: (port) => {
      setDaemonAddress(env, { url: `http://127.0.0.1:${port}`, token: options.token ?? null });
    },
    wakeUpOnStart: options.wakeUpOnStart,
    movesFolder: join(options.dataDir, "moves"),
    workshop: await workshopOf(options.workshop, options.dataDir, env),
  });
  return {
    url: `http://127.0.0.1:${daemon.port}`,
    output: () => output,
    unplugRobot: async () => {
      pluggedIn = false;
      await simulatorLink?.close();
    },
    close: () => daemon.close(),
  };
}

const certifyNothing: Certify = () =>
  Promise.reject(new WorkbenchError("check-failed", "This test certifies nothing."));

async function workshopOf(
  opened: InProcessDaemonOptions["workshop"],
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<WorkshopOptions> {
  const copiesFolder = join(dataDir, "workshop");
  const open = (folder: string) => openWorkshop({ folder, copiesFolder, env, now: () => new Date() });
  return {
    open,
    opened: opened === undefined ? null : { workshop: await open(opened.folder), secret: opened.secret },
    certify: opened?.certify ?? certifyNothing,
    reportsFolder: join(dataDir, "workshop-reports"),
  };
}
