import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { addressTo } from "../../daemon/app-address.ts";
import { createAppHost } from "../../daemon/apps/app-host.ts";
import { createAudio } from "../../daemon/audio/audio.ts";
import { systemClock } from "../../daemon/clock.ts";
import { relinked } from "../../daemon/control/relinked.ts";
import { createRobot } from "../../daemon/control/robot-core.ts";
import { startDaemon } from "../../daemon/daemon.ts";
import { linkOf, openLink } from "../../daemon/hardware/link/open.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";
import { type DaemonUnderTest, type DaemonWish, NO_HUB, NO_INDEX } from "./daemon-under-test.ts";

/** The same daemon as the program's, in this process: robot, simulator, app host and HTTP on a free port of loopback. */
export async function startDaemonInProcess(wish: DaemonWish): Promise<DaemonUnderTest> {
  let output = "";
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      output += chunk;
      done();
    },
  });
  const { serialport } = wish;
  let plugged = true;
  let link: Awaited<ReturnType<typeof createLocalLink>>["link"] | undefined;
  const simulator = relinked(async () => {
    if (!plugged) throw new WorkbenchError("robot-not-found", "The robot is unplugged.");
    ({ link } = await createLocalLink({ now: () => performance.now(), seed: 1 }));
    return link;
  });
  const way = serialport === undefined ? simulator : { open: () => openLink(linkOf(serialport)) };
  const robot = createRobot({ ...way, clock: systemClock });
  const env: NodeJS.ProcessEnv = { ...process.env, ...NO_INDEX, ...wish.env };
  const daemon = await startDaemon({
    robot,
    audio: await createAudio({
      dataDir: wish.dataDir,
      clock: systemClock,
      device: null,
      recording: wish.microphone ?? null,
      env,
    }),
    hostApps: (remoteSessionActive) =>
      createAppHost({
        dataDir: wish.dataDir,
        venv: join(wish.dataDir, "apps_venv"),
        uv: null,
        robot,
        clock: systemClock,
        env,
        remoteSessionActive,
        startupApp: wish.startupApp,
        hub: { url: wish.hubUrl ?? NO_HUB, token: null },
        graceMs: wish.gracePeriod * 1000,
      }),
    facts: {
      robotName: "robot",
      version: "0.0.0-test",
      wireless: false,
      simulated: serialport === undefined,
      platform: type(),
    },
    log: pino({ level: "debug" }, sink),
    now: () => Date.now(),
    newId: randomUUID,
    dashboard: "dist/dashboard",
    host: "127.0.0.1",
    port: 0,
    names: [],
    token: wish.token ?? null,
    errorsText: readFileSync("docs/errors.md", "utf8"),
    residentBytes: () => process.memoryUsage.rss(),
    // This process is not the daemon's to end.
    end: () => {},
    onOpen: (port) => {
      addressTo(env, { url: `http://127.0.0.1:${port}`, token: wish.token ?? null });
    },
    wakeUpOnStart: wish.wakeUpOnStart,
  });
  return {
    url: `http://127.0.0.1:${daemon.port}`,
    token: wish.token ?? null,
    pid: process.pid,
    output: () => output,
    signal: () => {
      throw new Error("a daemon in this process gets no signals; tag the scenario @spawn");
    },
    ended: () => Promise.reject(new Error("a daemon in this process does not end by itself")),
    unplugRobot: async () => {
      plugged = false;
      await link?.close();
    },
    killRobotProcess: async () => {
      throw new Error("the robot has no process of its own here; tag the scenario @spawn");
    },
    close: () => daemon.close(),
  };
}
