import type { Logger } from "pino";
import { problemOf } from "../robot/wire/errors.ts";
import type { AppEvent } from "./apps/app-events.ts";
import type { AppHost } from "./apps/app-host.ts";
import type { Audio } from "./audio/audio.ts";
import { soundCue } from "./audio/cues.ts";
import type { Robot, RobotEvent } from "./control/robot.ts";
import { AudioSocket } from "./http/audio-socket.ts";
import { type EventName, EventStream } from "./http/events.ts";
import { isLoopback } from "./http/guard/host-names.ts";
import { Metrics } from "./http/metrics/metrics.ts";
import { appRoutes } from "./http/routes/apps.ts";
import { audioRoutes } from "./http/routes/audio.ts";
import { daemonRoutes, type EndDaemon } from "./http/routes/daemon.ts";
import { interfaceRoutes } from "./http/routes/interface.ts";
import { logRoutes } from "./http/routes/logs.ts";
import { motionRoutes } from "./http/routes/motion.ts";
import { simulationRoutes } from "./http/routes/simulation.ts";
import { stateRoutes } from "./http/routes/state.ts";
import { SceneSocket } from "./http/scene-socket.ts";
import { SdkSocket } from "./http/sdk-socket.ts";
import type { DaemonFacts } from "./http/sdk-status.ts";
import { openHttp } from "./http/server.ts";
import { StateSocket } from "./http/state-socket.ts";

/** What a daemon is put together from; `main.ts` makes them for real, tests bring a robot of their own. */
export interface DaemonParts {
  robot: Robot;
  audio: Audio;
  /** Makes the app host; it is told how to see whether somebody else moves the robot. */
  hostApps: (remoteSessionActive: () => boolean) => Promise<AppHost>;
  facts: DaemonFacts;
  log: Logger;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  newId: () => string;
  /** Folder of the built dashboard. */
  dashboard: string;
  host: string;
  port: number;
  /** Names besides IP addresses and localhost that a daemon on the network is called by, in lower case. */
  names: readonly string[];
  /** Asked of every caller; null on loopback. */
  token: string | null;
  /** The text of docs/errors.md, for the pages of the error codes. */
  errorsText: string;
  /** Resident set size of this process, bytes. */
  residentBytes: () => number;
  /** Told when somebody asks over HTTP for the end of the daemon, or for a new one in its place. */
  end: EndDaemon;
  /** Told of the port before the robot wakes and the startup app starts. */
  onOpen?: (port: number) => void;
  wakeUpOnStart: boolean;
}

export interface Daemon {
  apps: AppHost;
  port: number;
  /** Ends the app, lays the robot to rest, closes the port. Settles when nothing is left. */
  close(): Promise<void>;
}

/** Puts robot, app host and HTTP together and opens the port. Throws as `openHttp`. */
export async function startDaemon(parts: DaemonParts): Promise<Daemon> {
  const { robot, audio, facts, log, now } = parts;
  const events = new EventStream();
  const warn = (message: string): void => {
    events.send("notice", { kind: "notice", level: "warning", message });
    log.warn(message);
  };
  const sdk = new SdkSocket({ robot, facts, now, onConnect: (pid) => apps.attach(pid), onRefused: warn });
  const apps = await parts.hostApps(() => sdk.hasRemoteMover());
  apps.onEvent((event) => tell(event, events, log));
  robot.onEvent((event) => {
    events.send("robot", event);
    log[logLevelOf(event)](event.message);
    soundCue(audio, event);
  });
  audio.onFault(warn);

  const metrics = new Metrics({ robot, apps, version: facts.version, residentBytes: parts.residentBytes });
  const routes = [
    ...appRoutes(apps),
    ...logRoutes(apps),
    ...daemonRoutes(robot, facts, parts.end),
    ...stateRoutes(robot),
    ...audioRoutes(audio, facts.platform),
    ...motionRoutes(robot, parts.newId, (error) => log.warn(`A move failed: ${problemOf(error).detail}`)),
    ...(robot.simulation ? simulationRoutes(robot.simulation) : []),
  ];
  const { version } = facts;
  const http = await openHttp({
    host: parts.host,
    port: parts.port,
    access: { loopback: isLoopback(parts.host), names: parts.names, token: parts.token },
    routes: [...routes, ...interfaceRoutes({ events, metrics, routes, version, errorsText: parts.errorsText })],
    events,
    metrics,
    sockets: {
      sdk,
      state: new StateSocket(robot),
      audio: new AudioSocket(audio),
      scene: robot.simulation && new SceneSocket(robot.simulation),
    },
    dashboard: parts.dashboard,
    log,
    now,
  });

  parts.onOpen?.(http.port);
  // Told before anybody listened: that there is no robot, most of all.
  if (robot.state.error !== null) log.error(`${robot.state.error} The daemon connects to the robot as soon as it can.`);
  let ending = false;
  // Before the robot wakes (contract, section 3), while the port is open and shows how far it has come.
  const fetched = apps.fetchStartupApp();
  if (parts.wakeUpOnStart) {
    fetched
      .then(() => (ending ? undefined : wakeWhenThere(robot)))
      .catch((error) => log.error(`The robot did not wake up: ${problemOf(error).detail}`));
  }

  return {
    apps,
    port: http.port,
    close: async () => {
      ending = true;
      await apps.shutdown();
      await robot.close();
      audio.close();
      await http.close();
    },
  };
}

/** What an app's motion brings many of: worth an event and a place in the dashboard's log, but no line here. */
const QUIET: ReadonlySet<RobotEvent["kind"]> = new Set(["move_started", "move_ended", "cue", "target_clipped"]);

function logLevelOf({ kind, level }: RobotEvent): "debug" | "info" | "warn" | "error" {
  if (QUIET.has(kind)) return "debug";
  return level === "warning" ? "warn" : level;
}

/** Wakes the robot as soon as it is connected, whenever that is; once more when it was lost on the way. */
async function wakeWhenThere(robot: Robot): Promise<void> {
  await runs(robot);
  await robot.wakeUp().catch(async (error) => {
    if (problemOf(error).code !== "robot-not-ready") throw error;
    await runs(robot);
    await robot.wakeUp();
  });
}

/** Settles when the robot runs. */
function runs(robot: Robot): Promise<void> {
  if (robot.state.phase === "running") return Promise.resolve();
  return new Promise((resolve) => {
    const stop = robot.onState(({ phase }) => {
      if (phase !== "running") return;
      stop();
      resolve();
    });
  });
}

/** Passes what happens to the apps on to the event stream and to the daemon's terminal. */
function tell(event: AppEvent, events: EventStream, log: Logger): void {
  switch (event.kind) {
    case "log":
      events.send("log", event.line);
      log.info({ app: event.line.app, from: event.line.from }, event.line.text);
      return;
    case "slot":
      events.send("slot", event.status);
      log.info(
        `${event.status.info.name} is ${event.status.state}${event.status.error ? `: ${event.status.error}` : ""}`,
      );
      return;
    case "job":
      events.send("job", event.job);
      return;
    case "startup-app":
      events.send("startup-app" satisfies EventName, { startup_app: event.name });
      return;
    case "notice":
      events.send("notice", event);
      log[event.level === "warning" ? "warn" : event.level](event.message);
  }
}
