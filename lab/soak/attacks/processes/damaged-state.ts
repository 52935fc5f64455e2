// Pipes, empty files and garbage in place of the files in which a daemon keeps its state.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDaemon } from "../../../bench/daemon.ts";
import type { Attack } from "../../attack.ts";

const FILES = ["startup-app.json", "audio.json", "running-app.json", "catalogue.json", "access-token"];

const DAMAGES: [string, (file: string) => unknown][] = [
  ["pipes", (file) => spawnSync("mkfifo", [file])],
  ["empty files", (file) => writeFileSync(file, "")],
  ["garbage", (file) => writeFileSync(file, Buffer.alloc(70_000, 0xc3))],
];

export default {
  title: "a start with damaged files of the data folder",
  dataFolder: "own",
  async run({ daemon, dataDir, row }) {
    await daemon.stop();
    for (const [what, damage] of DAMAGES) {
      for (const name of FILES) {
        rmSync(join(dataDir, name), { force: true });
        damage(join(dataDir, name));
      }
      const again = await startDaemon(dataDir);
      const ms = again.readyMs;
      row(what, `ready after ${(ms / 1000).toFixed(1)} s`, "at most 30 s", ms <= 30_000);
      await again.awake();
      const started = await again.post("/api/apps/start-app/steady_app");
      row("an app starts", started.status, "200", started.status === 200);
      await again.stop();
    }
  },
} satisfies Attack;
