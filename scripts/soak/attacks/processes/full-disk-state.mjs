// What cannot be saved on a full disk is said, and the daemon runs on.
import { fillDisk } from "../../install-tools.mjs";

/** @type {[method: string, path: string, body: unknown][]} */
const SAVING = [
  ["PUT", "/api/apps/startup-app", { startup_app: "steady_app" }],
  ["POST", "/api/volume/set", { volume: 12 }],
  ["POST", "/api/volume/microphone/set", { volume: 13 }],
];

/** @type {import("../../attack.mjs").Attack} */
export default {
  title: "the disk is full while the daemon runs",
  dataFolder: "small-disk",
  async run({ daemon, dataDir, row }) {
    fillDisk(dataDir);
    for (const [method, path, body] of SAVING) {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(daemon.url + path, { method, headers, body: JSON.stringify(body) });
      const { code } = /** @type {any} */ (await answer.json());
      row(`${method} ${path}`, `${answer.status} ${code}`, "507 disk-full", answer.status === 507);
    }
    const started = await daemon.post("/api/apps/start-app/steady_app");
    row("a start of an app", started.status, "200", started.status === 200);
  },
};
