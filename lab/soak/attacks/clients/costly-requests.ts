// No request costs much more than another.
import { processorSeconds } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";

const REQUESTS = 200;
const PATHS = [
  "/openapi.json",
  "/docs",
  "/errors/motors-off",
  "/api/apps/jobs",
  "/metrics",
  `/${"x".repeat(15_000)}`,
  `/${"api/".repeat(3000)}`,
  `${"/".repeat(15_000)}x`,
  `/api/apps/logs/${"%41".repeat(5000)}`,
];

export default {
  title: "processor time of a request",
  async run({ daemon, row }) {
    const processorMs = async (path: string) => {
      const before = processorSeconds(daemon.pid);
      for (let i = 0; i < REQUESTS; i += 1) await (await fetch(daemon.url + path)).arrayBuffer();
      return ((processorSeconds(daemon.pid) - before) / REQUESTS) * 1000;
    };
    await processorMs("/healthz");
    const least = await processorMs("/healthz");
    row("/healthz", `${least.toFixed(2)} ms`, "any", true);
    for (const path of PATHS) {
      const ms = await processorMs(path);
      row(path.slice(0, 40), `${ms.toFixed(2)} ms`, "at most 5 ms", ms <= 5);
    }
  },
} satisfies Attack;
