import { type DynamicRequirement, endOf, wasAsked } from "./requirement.ts";

export const stops: DynamicRequirement = {
  id: "LIFE-003",
  level: "MUST",
  section: "3",
  title: "SIGINT leads to exit code 0 within the grace period, whatever run() is doing",
  mutants: ["LIFE-003-exits-with-3", "LIFE-003-sleeps-too-long"],
  scenes: ["first-run", "stop-early", "stop-in-mid-goto"],
  judge({ runs }) {
    const stopped = runs.filter((run) => run.ending === "stop" && run.enteredAt !== null);
    const asked = stopped.filter(wasAsked);
    if (asked.length === 0) return { skip: "The app ended by itself before it could be stopped." };
    const failed = asked.filter(({ exit, forced }) => forced || exit?.code !== 0);
    const took = asked.map(({ askedAt, endedAt }) => (endedAt ?? 0) - (askedAt ?? 0)).sort((a, b) => a - b);
    const limit = asked[0]?.grace ?? null;
    const at = (share: number) => took[Math.ceil(share * took.length) - 1] ?? 0;
    const measured = (name: string, value: number) => ({ name, value, unit: "s", limit });
    return {
      observed: failed.map((run) => ({
        message: `Stopped while ${run.phase}, the app ${endOf(run)}. ${run.forced ? "run() must look at stop_event often, and return when it is set" : "Return from run(), and leave the exit code to Python"}.`,
        scene: run.scene,
        t: run.endedAt ?? run.startedAt,
        errors: run.lastErrors,
      })),
      measured: [measured("stop p50", at(0.5)), measured("stop p90", at(0.9)), measured("stop longest", at(1))],
    };
  },
};
