// Few jobs wait, and what they keep is short.
import type { Attack } from "../../attack.ts";
import { reportWatch, watchDaemon } from "../../attack-tools.ts";

const JOBS = 1143;

export default {
  title: `${JOBS} installs at once, and paths of 400 KB`,
  async run({ daemon, row }) {
    const stopWatching = await watchDaemon(daemon);
    const install = async (path: string) => {
      const answer = await daemon.post("/api/apps/install", { path });
      await answer.text();
      return answer.status;
    };
    /** Connections at a time, of the 896 that a machine may have to itself. */
    const installAll = async (count: number, pathOf: (index: number) => string) => {
      const statuses: number[] = [];
      const next = async () => {
        // A connection may be closed while the rest of a refused body is on its way.
        while (statuses.length < count) {
          const index = statuses.push(0) - 1;
          statuses[index] = await install(pathOf(index)).catch(() => 0);
        }
      };
      await Promise.all(Array.from({ length: 200 }, next));
      return statuses;
    };
    const long = await installAll(50, () => `/${"long/".repeat(80_000)}`);
    row("paths of 400 KB that were accepted", long.filter((status) => status === 200).length, "0", !long.includes(200));
    const short = await installAll(JOBS, (index) => `/nowhere/app_${index}`);
    const accepted = short.filter((status) => status === 200).length;
    const refused = short.filter((status) => status === 429).length;
    row("accepted, and refused with 429", `${accepted}, ${refused}`, `${JOBS} in all`, accepted + refused === JOBS);
    const jobs = await daemon.get("/api/apps/jobs");
    row("jobs that are kept", jobs.length, "at most 50", jobs.length <= 50);
    row(
      "and their size",
      `${Math.ceil(JSON.stringify(jobs).length / 1000)} KB`,
      "at most 200 KB",
      JSON.stringify(jobs).length <= 200_000,
    );
    reportWatch(row, await stopWatching());
  },
} satisfies Attack;
