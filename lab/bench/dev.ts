// Measures `robot-app-assistant dev`: from a save of the app's main module to the first motion of the robot.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { writeProject } from "../../daemon/apps/testing/project.ts";
import { type Daemon, startDaemon, until } from "./daemon.ts";
import { figure, median, quantile, section } from "./figures.ts";

const ROUNDS = 20;
const MOVED_RAD = 0.01;
const LIMIT_MS = 300;
export const APP = "saved_app";

/** A small app that moves its antennas at once. @param angle radians */
export const main = (angle: number) => `import time

from robot_sdk import Robot, RobotApp


class App(RobotApp):
    def run(self, robot: Robot, stop_event) -> None:
        while not stop_event.is_set():
            robot.set_target(antennas=[${angle}, ${angle}])
            time.sleep(0.02)


if __name__ == "__main__":
    app = App()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

/** Makes that app in a new folder. */
export async function makeBenchApp() {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "robot-bench-dev-")), APP);
  await writeProject(folder, { name: APP, main: main(0), more: 'dependencies = ["robot-sdk"]' });
  const file = path.join(folder, APP, "main.py");
  return { folder, file, remove: () => rmSync(path.dirname(folder), { recursive: true, force: true }) };
}

/** Removes that app from a daemon. */
export async function removeBenchApp(daemon: Daemon) {
  await daemon.post(`/api/apps/remove/${APP}`);
  await until("the app is removed", 60_000, async () =>
    (await daemon.get("/api/apps/list")).every(({ name }: { name: string }) => name !== APP),
  );
}

export async function benchDev(dataDir: string) {
  section("Save to first motion with dev");
  const { folder, file, remove } = await makeBenchApp();
  const daemon = await startDaemon(dataDir);
  try {
    await daemon.awake();
    const python = `${dataDir}/apps_venv/bin/python`;
    await floor(python);
    const floors: number[] = [];
    const imports: number[] = [];
    const times = await measure(daemon, folder, file, async () => {
      floors.push(await floor(python));
      imports.push(await floor(python, "import robot_sdk"));
    });
    const detail = `p50 ${median(times).toFixed(0)} ms, max ${quantile(times, 1).toFixed(0)} ms; alone: interpreter, numpy and websockets ${median(floors).toFixed(0)} ms, the SDK ${median(imports).toFixed(0)} ms`;
    figure("save to first motion of a small app", detail, `p50 <= ${LIMIT_MS} ms`, median(times) <= LIMIT_MS);
    await removeBenchApp(daemon);
  } finally {
    await daemon.stop();
    remove();
  }
}

/** Milliseconds that Python needs before an app's first line. */
export async function floor(python: string, code = "import numpy, websockets.sync.client") {
  const began = performance.now();
  await once(spawn(python, ["-c", code]), "exit");
  return performance.now() - began;
}

async function measure(daemon: Daemon, folder: string, file: string, between: () => Promise<void>) {
  const args = ["bin/robot-app-assistant.mjs", "dev", folder, "--url", daemon.url];
  const dev = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  dev.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const antennas = watchAntennas(daemon.url);
  try {
    await until("the app runs", 60_000, () => output.includes("● running"));
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await between();
      await antennas.still();
      times.push(await antennas.timeToMotion(() => writeFileSync(file, main(round % 2 === 0 ? 0.5 : -0.5))));
    }
    return times;
  } finally {
    antennas.close();
    if (dev.exitCode === null) {
      dev.kill("SIGINT");
      await once(dev, "exit");
    }
  }
}

/** Watches the antennas of a robot. @param url of its daemon */
export function watchAntennas(url: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/sdk`);
  let antennas: number[] = [];
  let moved: ((at: number) => void) | null = null;
  let start = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    if (message.type !== "joint_positions") return;
    antennas = message.antennas_joint_positions;
    if (moved !== null && Math.abs((antennas[0] ?? 0) - start) > MOVED_RAD) moved(performance.now());
  });
  return {
    /** Waits until they stand still. */
    still: async () => {
      let last = Number.NaN;
      await until("the antennas stand still", 20_000, async () => {
        const before = last;
        last = antennas[0] ?? Number.NaN;
        await sleep(150);
        return Math.abs(last - before) < 0.001;
      });
    },
    /** Milliseconds from an act to their first motion. */
    timeToMotion: async (act: () => void) => {
      start = antennas[0] ?? 0;
      const motion: Promise<number> = new Promise((resolve) => {
        moved = resolve;
      });
      const began = performance.now();
      act();
      const time = (await motion) - began;
      moved = null;
      return time;
    },
    close: () => socket.close(),
  };
}
