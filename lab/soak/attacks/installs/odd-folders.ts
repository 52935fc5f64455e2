// Folders that hold no app are refused in words, whatever they are.
import { until } from "../../../bench/daemon.ts";
import type { Attack } from "../../attack.ts";
import { jobEnd } from "../../install-tools.ts";

const FOLDERS = ["/proc/self", "/dev", "/", "/nowhere/at/all", "relative/folder"];

export default {
  title: "installs of folders that hold no app",
  dataFolder: "own",
  async run({ daemon, row }) {
    for (const folder of FOLDERS) {
      const answer = await daemon.post("/api/apps/install", { path: folder });
      const { job_id, code } = (await answer.json()) as { job_id?: string; code?: string };
      const end = job_id === undefined ? { status: "refused", code } : await jobEnd(daemon, job_id);
      const isRefused = end.status !== "done" && !["internal", undefined, null].includes(end.code);
      row(folder, `${end.status}, ${end.code}`, "refused with a reason", isRefused);
    }
    const healthy = await until("the daemon answers", 10_000, async () => (await fetch(`${daemon.url}/healthz`)).ok);
    row("the daemon", healthy ? "healthy" : "ill", "healthy", healthy);
  },
} satisfies Attack;
