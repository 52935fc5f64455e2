// What cannot be saved on a full disk is said, and the daemon runs on.
import type { Attack } from "../../attack.ts";
import { fillDisk } from "../../install-tools.ts";

const SAVING: [method: string, path: string, body: unknown][] = [
  ["PUT", "/api/apps/startup-app", { startup_app: "steady_app" }],
  ["POST", "/api/volume/set", { volume: 12 }],
  ["POST", "/api/volume/microphone/set", { volume: 13 }],
];

const attack: Attack = {
  title: "the disk is full while the daemon runs",
  dataFolder: "small-disk",
  async run({ daemon, dataDir, row }) {
    fillDisk(dataDir);
    for (const [method, path, body] of SAVING) {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(daemon.url + path, { method, headers, body: JSON.stringify(body) });
      const { code } = (await answer.json()) as { code?: string };
      row(`${method} ${path}`, `${answer.status} ${code}`, "507 disk-full", answer.status === 507);
    }
    const started = await daemon.post("/api/apps/start-app/steady_app");
    row("a start of an app", started.status, "200", started.status === 200);
  },
};
export default attack;
