import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname, type } from "node:os";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { openFilesLimit } from "../../common/machine/open-files.ts";
import { systemClock } from "../../common/time/clock.ts";
import { sdkSourceIn } from "../apps/install/environment/sdk-source.ts";
import { createAudio } from "../audio/audio.ts";
import { Camera } from "../camera/camera.ts";
import { chooseCameraSource, openCameraFile } from "../camera/sources/choose-source.ts";
import type { FileCameraSource } from "../camera/sources/file-camera-source.ts";
import { WorkerFrameMaker } from "../camera/worker/worker-frame-maker.ts";
import type { DaemonOptions } from "../command-line/invocation.ts";
import { setAsideDamagedFiles } from "../data-folder/damaged-files.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import type { AccessPolicy } from "../http/access/access-policy.ts";
import { isLoopback } from "../http/access/host-names.ts";
import { accessToken } from "../network/access-token.ts";
import { hostNames, localUrl, setDaemonAddress } from "../network/addresses.ts";
import type { Announcement } from "../network/announce.ts";
import type { Robot } from "../robot-client/robot.ts";
import { SceneFeed } from "../robot-client/scene-feed.ts";
import { startRobot } from "../robot-client/start-robot.ts";
import { linkAddress } from "../robot-process/hardware/link/open.ts";
import type { DaemonParts } from "../start/daemon.ts";
import { daemonLog, logTarget } from "../start/log.ts";
import { openUnblocked } from "../start/unblocked-output.ts";
import type { OpenWorkshopOptions, Workshop } from "../workshop/workshop.ts";
import type { Certify } from "../workshop/workshop-certifications.ts";
import { type CommandContext, Interrupted, stepReporter } from "./command-context.ts";
import { greeting } from "./greeting.ts";
import { hubOptions } from "./install.ts";

/** The number of standard output. */
const STDOUT = 1;

export interface RunContext extends CommandContext {
  /** Environment variables that keep the memory of a robot process with a simulator small. */
  robotEnv: NodeJS.ProcessEnv;
  /** Opens the folder of an app for editing. */
  openWorkshop(options: OpenWorkshopOptions): Promise<Workshop>;
  certify: Certify;
  /** The secret that editing takes. */
  workshopSecret: string;
}

/**
 * Runs one daemon until a signal or a client ends it. The steps are those of docs/architecture.md, "How the daemon
 * starts". Whatever fails, the robot process is ended and the data folder released.
 * @param dataFolder of `claimDataFolder`
 * @returns the port for the next daemon after a restart, or null
 * @throws WorkbenchError why a step failed; `Interrupted` when a signal comes before the daemon runs
 */
export async function run(options: DaemonOptions, context: RunContext, dataFolder: DataFolder): Promise<number | null> {
  const failed = new AbortController();
  const robotStarting = startRobotProcess(options, context, failed.signal);
  try {
    const log = daemonLog(options.logLevel, logTarget(context), openUnblocked(STDOUT, systemClock) ?? undefined);
    const damaged = await setAsideDamagedFiles(options.dataDir, options.venv);
    const access = await accessPolicyFor(options);
    const workshop = await openWorkshop(options, context);
    const audio = await openAudio(options, context);
    const cameraFile = await openCameraFile(options.camera, options.sim, systemClock);
    const { robot, venv, problem } = await prepareRobotAndEnvironment(robotStarting, options, context);
    const { scenes, camera } = createCamera(robot, cameraFile, options);
    const problems = [...damaged, ...(problem === null ? [] : [problem])];
    const apps = await hostApps({ robot, venv, problems }, options, context);
    const stopRequest = new StopRequest(context.interrupted, log);
    const daemon = await openDaemon(
      { robot, audio, scenes, camera, apps, venv, access, workshop, log, stopRequest, dataFolder },
      options,
      context,
    );
    const announcement = await announceOnNetwork(daemon.port, options, access, log);
    const kind = await stopRequest.received;
    await Promise.all([daemon.close(), announcement?.close()]);
    return kind === "restart" ? daemon.port : null;
  } catch (error) {
    failed.abort();
    context.interrupted.throwIfAborted();
    throw error;
  } finally {
    await robotStarting.then((robot) => robot.close()).catch(() => undefined);
    await dataFolder.close();
  }
}

/** The robot process gets ready while this process loads the rest of the program. */
function startRobotProcess(options: DaemonOptions, context: RunContext, failed: AbortSignal): Promise<Robot> {
  return startRobot({
    entry: new URL("../../programs/robot-process/main.js", import.meta.url),
    link: options.sim ? "sim" : linkAddress(options.serialport),
    inertialSensor: options.sim && options.wirelessVersion,
    ...(options.supply === null ? {} : { supply: options.supply }),
    env: { ...context.robotEnv, ...context.env },
    watchdogMs: 1000 * options.robotTimeout,
    clock: systemClock,
    signal: AbortSignal.any([context.interrupted, failed]),
  });
}

async function accessPolicyFor({ host, dataDir, allowedHosts }: DaemonOptions): Promise<AccessPolicy> {
  const loopback = isLoopback(host);
  return { loopback, names: hostNames(hostname(), allowedHosts), token: loopback ? null : await accessToken(dataDir) };
}

async function openWorkshop(
  { workshop: folder, dataDir }: DaemonOptions,
  { env, openWorkshop: open, certify, workshopSecret: secret }: RunContext,
) {
  const [copiesFolder, reportsFolder] = [resolve(dataDir, "workshop"), resolve(dataDir, "workshop-reports")];
  const openFolder = (path: string) => open({ folder: path, copiesFolder, env, now: () => new Date() });
  const opened = folder === null ? null : { workshop: await openFolder(folder), secret };
  return { open: openFolder, opened, certify, reportsFolder };
}

/** Comes before the steps that take long, because a wrong --microphone is a mistake on the command line. */
function openAudio({ dataDir, audioDevice: device, microphone: recording }: DaemonOptions, { env }: RunContext) {
  return createAudio({ dataDir, clock: systemClock, device, recording, env });
}

/** When the robot process fails, the environment is brought into a complete state before that error is thrown. */
async function prepareRobotAndEnvironment(
  robotStarting: Promise<Robot>,
  { dataDir, venv, startupApp }: DaemonOptions,
  context: RunContext,
): Promise<{ robot: Robot; venv: string; problem: string | null }> {
  const { prepareEnvironmentOrKeep, installExample } = await import("../start/prepare.ts");
  const { env, packageDir, interrupted } = context;
  const robotFailed = new AbortController();
  const prepared = {
    dataDir,
    venv,
    sdkFolder: sdkSourceIn(packageDir),
    env,
    step: stepReporter(context),
    signal: AbortSignal.any([interrupted, robotFailed.signal]),
  };
  const preparing = prepareEnvironmentOrKeep(prepared).then(async (environment) => {
    const onRenamed = (text: string): void => context.report(`${text}\n`);
    await installExample(startupApp, packageDir, { ...prepared, onRenamed });
    return environment;
  });
  const [environment, robot] = await Promise.all([preparing, robotStarting]).catch(async (error) => {
    robotFailed.abort(error);
    await preparing.catch(() => undefined);
    throw error;
  });
  interrupted.throwIfAborted();
  return { ...environment, robot };
}

/** The camera, and the scenes of a simulated robot that it shares with the dashboard. */
function createCamera(robot: Robot, file: FileCameraSource | null, { camera: choice }: DaemonOptions) {
  const scenes = robot.simulation && new SceneFeed(robot.simulation);
  const maker = new WorkerFrameMaker(new URL("../../programs/camera-thread/main.js", import.meta.url), systemClock);
  return { scenes, camera: new Camera(chooseCameraSource(choice, file, scenes, systemClock), maker, systemClock) };
}

async function hostApps(
  { robot, venv, problems }: { robot: Robot; venv: string; problems: readonly string[] },
  options: DaemonOptions,
  { env, packageDir, reader }: RunContext,
) {
  const [{ createAppHost }, { findUv }] = await Promise.all([
    import("../apps/app-host.ts"),
    import("../start/prepare.ts"),
  ]);
  return createAppHost({
    dataDir: options.dataDir,
    venv,
    uv: await findUv(env),
    sdkPath: sdkSourceIn(packageDir),
    robot,
    clock: systemClock,
    env,
    startupApp: options.startupApp,
    hub: hubOptions(options.hubUrl, env),
    graceMs: options.gracePeriod * 1000,
    warmStart: options.warmStart,
    reader,
    problems,
  });
}

interface OpenParts
  extends Pick<DaemonParts, "robot" | "audio" | "scenes" | "camera" | "apps" | "access" | "workshop" | "log"> {
  venv: string;
  stopRequest: StopRequest;
  dataFolder: DataFolder;
}

/** Opens the port, lets apps and other programs know the address, and greets. */
async function openDaemon(parts: OpenParts, options: DaemonOptions, context: RunContext) {
  const { startDaemon } = await import("../start/daemon.ts");
  const { robot, camera, venv, access, workshop, stopRequest, dataFolder } = parts;
  const { host, port, wirelessVersion: wireless, sim: simulated, robotName, reportSimulation, wakeUpOnStart } = options;
  const { env, packageDir, version, residentBytes } = context;
  let published: Promise<void> = Promise.resolve();
  const daemon = await startDaemon({
    ...parts,
    info: {
      robotName,
      version,
      wireless,
      simulated,
      hasCamera: camera.kind !== "none",
      ...(reportSimulation !== null && { reportSimulation }),
      platform: type(),
    },
    clock: systemClock,
    newId: randomUUID,
    dashboard: resolve(packageDir, "dist/dashboard"),
    host,
    port,
    openFiles: openFilesLimit(),
    errorsText: readFileSync(resolve(packageDir, "docs/errors.md"), "utf8"),
    residentBytes,
    stopOrRestart: (kind) => stopRequest.receive(kind),
    onOpen: (bound) => {
      const url = localUrl(host, bound);
      setDaemonAddress(env, { url, token: access.token });
      published = dataFolder.publish({ doing: "daemon", url, venv });
      const { opened } = workshop;
      const edited = opened && { app: opened.workshop.app, secret: opened.secret };
      const isConnected = robot.state.phase === "running";
      const { token } = access;
      context.print(greeting({ options, context, url, port: bound, token, workshop: edited, isConnected }));
    },
    wakeUpOnStart,
    movesFolder: resolve(options.dataDir, "moves"),
  });
  await published;
  return daemon;
}

/** Announces a wireless robot's name on the local network; null where the daemon is reached over loopback only. */
async function announceOnNetwork(
  port: number,
  { wirelessVersion }: DaemonOptions,
  { token }: AccessPolicy,
  log: Logger,
): Promise<Announcement | null> {
  if (!wirelessVersion || token === null) return null;
  const { announce } = await import("../network/announce.ts");
  return announce(hostname(), port, (error) => log.warn(`The robot's name is not announced: ${error.message}`));
}

/** The first request to stop or restart the daemon: a signal, or a client over HTTP. */
class StopRequest {
  receive: (kind: "stop" | "restart") => void = () => {};
  readonly received: Promise<"stop" | "restart">;

  constructor(interrupted: AbortSignal, log: Logger) {
    this.received = new Promise<"stop" | "restart">((resolve) => {
      this.receive = resolve;
    });
    interrupted.addEventListener("abort", () => {
      const why = interrupted.reason instanceof Interrupted ? interrupted.reason.signal : "Interrupted";
      log.info(`${why}: stopping the app and putting the robot to sleep`);
      this.receive("stop");
    });
    void this.received.then((kind) => {
      if (kind === "restart") log.info("Restart: stopping the app and putting the robot to sleep");
    });
  }
}
