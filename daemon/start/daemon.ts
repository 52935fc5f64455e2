import type { Logger } from "pino";
import type { Clock } from "../../common/time/clock.ts";
import { type Problem, problemOf } from "../../robot/wire/errors.ts";
import type { MoveOutcome } from "../../robot/wire/robot/target.ts";
import type { AppHost } from "../apps/app-host.ts";
import type { Audio } from "../audio/audio.ts";
import type { Camera } from "../camera/camera.ts";
import type { AccessPolicy } from "../http/access/access-policy.ts";
import { EventBroadcaster } from "../http/events/event-broadcaster.ts";
import { Metrics } from "../http/metrics/metrics.ts";
import { appDetailsRoutes } from "../http/routes/app-details.ts";
import { appRoutes } from "../http/routes/apps.ts";
import { audioRoutes } from "../http/routes/audio.ts";
import { cameraRoutes } from "../http/routes/camera.ts";
import { notHereRoutes } from "../http/routes/compatibility/compatibility.ts";
import { identityRoutes } from "../http/routes/compatibility/identity.ts";
import { mediaRoutes } from "../http/routes/compatibility/media.ts";
import { recordedMoveRoutes } from "../http/routes/compatibility/recorded-moves.ts";
import { daemonRoutes, type StopOrRestart } from "../http/routes/daemon.ts";
import { interfaceRoutes } from "../http/routes/interface.ts";
import { logRoutes } from "../http/routes/logs.ts";
import { motionRoutes, moveStarter } from "../http/routes/motion.ts";
import { simulationRoutes } from "../http/routes/simulation.ts";
import { stateRoutes } from "../http/routes/state.ts";
import { openHttp } from "../http/server.ts";
import { audioSocket } from "../http/sockets/audio/audio-socket.ts";
import { compatibilitySockets } from "../http/sockets/compatibility/compatibility-sockets.ts";
import { sceneSocket } from "../http/sockets/scene/scene-socket.ts";
import type { DaemonInfo, MediaLease } from "../http/sockets/sdk/daemon-status.ts";
import { SdkSocket } from "../http/sockets/sdk/sdk-socket.ts";
import { StateWatchers, stateSocket } from "../http/sockets/state/state-socket.ts";
import { HubMoves } from "../moves/hub-moves.ts";
import { MoveLibrary } from "../moves/move-library.ts";
import type { Robot } from "../robot-client/robot.ts";
import type { SceneFeed } from "../robot-client/scene-feed.ts";
import type { Workshop } from "../workshop/workshop.ts";
import { type Certify, WorkshopCertifications } from "../workshop/workshop-certifications.ts";
import { WorkshopHost, type WorkshopParts } from "../workshop/workshop-host.ts";
import { workshopRoutes } from "../workshop/workshop-routes.ts";
import { isInstalledFromFolder, WorkshopRuns } from "../workshop/workshop-runs.ts";
import { EventReporter } from "./event-reporter.ts";
import { wakeUpWhenConnected } from "./wake-up.ts";

/** The parts of a daemon. The `run` command opens them for real; tests bring a robot of their own. */
export interface DaemonParts {
  robot: Robot;
  audio: Audio;
  camera: Camera;
  /** With a simulated robot. */
  scenes: SceneFeed | undefined;
  apps: AppHost;
  info: DaemonInfo;
  log: Logger;
  clock: Clock;
  newId: () => string;
  /** Folder of the built dashboard. */
  dashboard: string;
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** As of `openHttp`. */
  openFiles?: number;
  access: AccessPolicy;
  /** The text of docs/errors.md, for the pages of the error codes. */
  errorsText: string;
  /** Resident memory of this process, bytes. */
  residentBytes: () => number;
  /** Called when a client requests over HTTP that the daemon stops or restarts. */
  stopOrRestart: StopOrRestart;
  /** Called when the port is open, before the robot wakes up and the startup app starts. */
  onOpen?: (port: number) => void;
  wakeUpOnStart: boolean;
  /** Folder of recorded moves. */
  movesFolder: string;
  workshop: WorkshopOptions;
  /** Opens the port. Default: `openHttp`. */
  open?: typeof openHttp;
}

/** The editing of apps over HTTP. */
export interface WorkshopOptions {
  /** Opens an app's folder. @throws WorkbenchError `bad-request`, `app-invalid` */
  open(folder: string): Promise<Workshop>;
  /** The app that can be edited from the start, with the secret that this takes; null for none. */
  opened: Pick<WorkshopParts, "workshop" | "secret"> | null;
  certify: Certify;
  /** Folder for the reports of certifications. */
  reportsFolder: string;
}

export interface Daemon {
  port: number;
  /** Stops listening, stops the app, puts the robot to sleep and closes all connections. */
  close(): Promise<void>;
}

/**
 * Connects robot, apps, audio and HTTP, and opens the port.
 * @throws WorkbenchError `usage` when the port is taken or the address is not this machine's
 */
export async function startDaemon(parts: DaemonParts): Promise<Daemon> {
  const { robot, audio, apps, clock, log } = parts;
  const events = new EventBroadcaster(clock);
  const reporter = new EventReporter(events, log);
  // Before other listeners of the robot: the first one gets what has happened until now.
  reporter.report({ robot, audio, apps });
  const workshop = workshopHostOf(parts);
  workshop.writes.on((files) => events.send("workshop", { files: [...files] }));
  workshop.certifications.on((state) => events.send("certification", state));
  const sockets = openSockets(parts, reporter);
  const closing = new AbortController();
  const moves = new MoveLibrary({
    folder: parts.movesFolder,
    hub: new HubMoves(apps.hub, closing.signal),
    sitePackages: () => apps.installed.sitePackages(),
  });
  const http = await (parts.open ?? openHttp)({
    host: parts.host,
    port: parts.port,
    openFiles: parts.openFiles,
    access: parts.access,
    ...routesAndMetrics({ ...parts, workshop }, events, sockets.sdk.media, moves),
    appStatus: () => apps.slot.status(),
    events,
    sockets,
    dashboard: parts.dashboard,
    log,
    clock,
  });
  parts.onOpen?.(http.port);
  // The error itself is in the log: the reporter begins with it.
  if (robot.state.error !== null) log.info("The daemon connects to the robot as soon as it can.");
  wakeUpAndStartApp(parts, () => sockets.sdk.hasRemoteSession(), closing.signal);
  return {
    port: http.port,
    close: async () => {
      closing.abort();
      const certified = workshop.end();
      // What clients request from now on, or requested before and wait for, must not delay the rest.
      http.stopAccepting();
      await apps.close();
      await robot.close();
      audio.close();
      parts.camera.close();
      await http.close();
      await certified;
    },
  };
}

/** Puts the robot to sleep for anybody but the app that runs: no app runs on a robot that sleeps, so it is stopped first. */
const stopAppAndSleep =
  ({ robot, apps }: Pick<DaemonParts, "robot" | "apps">) =>
  async (id?: string): Promise<MoveOutcome> => {
    const app = apps.slot.status();
    const reason = "the robot goes to sleep";
    if (app !== null && apps.slot.busy) apps.logs.addNote(app.info.name, `is stopped: ${reason}`);
    await apps.slot.free(reason);
    return robot.goToSleep(id);
  };

function openSockets(parts: DaemonParts, reporter: EventReporter) {
  const { robot, audio, scenes, apps, info, clock } = parts;
  const watchers = new StateWatchers(robot);
  const notTold = (error: Error): false => {
    reporter.warn(`A client of the SDK socket counts as no app, since its process cannot be seen: ${error.message}.`);
    return false;
  };
  const sdk = new SdkSocket({
    robot,
    watchers,
    info,
    clock,
    onConnect: ({ pid, port }) => {
      if (pid !== undefined) return apps.slot.attach(pid);
      return port !== undefined && apps.slot.attachConnection(port).catch(notTold);
    },
    stopAppAndSleep: stopAppAndSleep(parts),
    onRefused: (message) => reporter.warn(message),
    onAppWarning: (message) => apps.logs.addNote(apps.slot.status()?.info.name ?? "app", message),
  });
  // An app that has ended uses neither camera nor sound any more.
  apps.slot.changes.on(({ state }) => {
    if (state === "done" || state === "error") sdk.media.isReleased = false;
  });
  return {
    sdk,
    others: new Map([
      ["/ws/state", stateSocket(robot, watchers, clock)],
      ["/ws/audio", audioSocket(audio, clock)],
      ...(scenes ? [["/ws/scene", sceneSocket(scenes, clock)] as const] : []),
      ...compatibilitySockets(robot, apps, clock),
    ]),
  };
}

function routesAndMetrics(
  parts: Omit<DaemonParts, "workshop"> & { workshop: WorkshopHost },
  events: EventBroadcaster,
  media: MediaLease,
  moves: MoveLibrary,
) {
  const { robot, audio, apps, info, log } = parts;
  const { version, platform } = info;
  const metrics = new Metrics({ robot, apps, version, residentBytes: parts.residentBytes });
  const startMove = moveStarter(robot, parts.newId, (error) => log.warn(`A move failed: ${problemOf(error).detail}`));
  const routes = [
    ...appRoutes(apps),
    ...appDetailsRoutes(apps),
    ...logRoutes(apps, parts.clock),
    ...daemonRoutes(robot, info, parts.stopOrRestart, media),
    ...identityRoutes(apps, info),
    ...cameraRoutes(parts.camera, parts.clock),
    ...mediaRoutes(audio, media),
    ...notHereRoutes(),
    ...stateRoutes(robot),
    ...audioRoutes(audio, platform),
    ...motionRoutes(robot, startMove, stopAppAndSleep(parts)),
    ...recordedMoveRoutes(robot, moves, startMove),
    ...workshopRoutes(parts.workshop),
    ...(robot.simulation
      ? simulationRoutes(robot.simulation, robot, (time) => events.send("simulated-time", time))
      : []),
  ];
  const { errorsText } = parts;
  return { metrics, routes: [...routes, ...interfaceRoutes({ events, metrics, routes, version, errorsText })] };
}

/** Lines of an app's output in which its last traceback is looked for. */
const LOG_LINES = 300;

function workshopHostOf(parts: DaemonParts): WorkshopHost {
  const { open, opened } = parts.workshop;
  const connect = (workshop: Workshop, secret: string) => workshopPartsOf(workshop, secret, parts);
  return new WorkshopHost({ open, connect }, opened);
}

function workshopPartsOf(
  workshop: Workshop,
  secret: string,
  { workshop: { certify, reportsFolder }, apps, robot, clock, log }: DaemonParts,
): WorkshopParts {
  const { slot, installed, installer, jobs } = apps;
  const { app, folder } = workshop;
  const onError = (error: unknown): void => {
    if (problemOf(error).code === "internal") log.error({ err: error }, "the workshop failed");
  };
  const certifications = new WorkshopCertifications({
    workshop,
    certify,
    isPhysical: () => robot.simulation === undefined,
    folder: reportsFolder,
    onError,
  });
  const runs = new WorkshopRuns({
    workshop,
    slot,
    robot,
    clock,
    isInstalled: async () => isInstalledFromFolder(folder, app, await installed.list()),
    install: () => jobs.done(installer.install(folder, { editable: true }).job_id),
  });
  const readLog = async (signal: AbortSignal): Promise<string> => {
    const lines = await apps.logs.readLastRun(app, LOG_LINES, signal);
    return lines.map(({ text }) => text).join("\n");
  };
  return { workshop, secret, runs, certifications, readLog, onError };
}

/** The startup app is installed before the robot wakes up (contract, section 3). The port is open and shows the job. */
function wakeUpAndStartApp(
  { robot, apps, log, clock, wakeUpOnStart }: DaemonParts,
  remoteSessionActive: () => boolean,
  closing: AbortSignal,
): void {
  apps.startupApp.begin(remoteSessionActive);
  const installed = apps.startupApp.prepare();
  if (!wakeUpOnStart) return;
  const notAwake = ({ detail }: Problem) => `The robot did not wake up: ${detail}`;
  installed
    .then(() => wakeUpWhenConnected(robot, clock, closing, (why) => log.warn(`${notAwake(why)} It is tried again.`)))
    .catch((error) => log.error(notAwake(problemOf(error))));
}
