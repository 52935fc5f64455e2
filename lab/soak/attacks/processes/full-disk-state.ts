// What cannot be saved on a full disk is said, and the daemon runs on.
import type { Attack } from "../../attack.ts";
import { fillDisk } from "../../install-tools.ts";

const SAVING: [method: "put" | "post", path: string, body: object][] = [
  ["put", "/api/apps/startup-app", { startup_app: "steady_app" }],
  ["post", "/api/volume/set", { volume: 12 }],
  ["post", "/api/volume/microphone/set", { volume: 13 }],
];

export default {
  title: "the disk is full while the daemon runs",
  dataFolder: "small-disk",
  async run({ daemon, dataDir, row }) {
    fillDisk(dataDir);
    for (const [method, path, body] of SAVING) {
      const answer = await daemon[method](path, body);
      const { code } = (await answer.json()) as { code?: string };
      row(`${method.toUpperCase()} ${path}`, `${answer.status} ${code}`, "507 disk-full", answer.status === 507);
    }
    const started = await daemon.post("/api/apps/start-app/steady_app");
    row("a start of an app", started.status, "200", started.status === 200);
  },
} satisfies Attack;
