import { type DynamicRequirement, endOf, wasAsked } from "./requirement.ts";

export const stops: DynamicRequirement = {
  id: "LIFE-003",
  level: "MUST",
  section: "3",
  title: "SIGINT leads to exit code 0 within the grace period, whatever the app is doing",
  mutants: ["LIFE-003-exits-with-3", "LIFE-003-catches-the-interrupt"],
  scenes: ["first-run"],
  judge({ runs }) {
    const stopped = runs.filter((run) => run.ending === "stop" && run.enteredAt !== null && wasAsked(run));
    if (stopped.length === 0) return { skip: "The app ended by itself before it could be stopped." };
    const failed = stopped.filter(({ exit, forced }) => forced || exit?.code !== 0);
    const took = stopped.flatMap(({ askedAt, endedAt }) =>
      askedAt === null || endedAt === null ? [] : [endedAt - askedAt],
    );
    return {
      observed: failed.map((run) => ({
        message: `Stopped while ${run.phase}, the app ${endOf(run)}. run() must poll stop_event and return soon after it is set.`,
        scene: run.scene,
        t: run.endedAt ?? 0,
        errors: run.lastErrors,
      })),
      measured: [
        { name: "SIGINT to exit, longest", value: Math.max(...took), unit: "s", limit: stopped[0]?.grace ?? null },
      ],
    };
  },
};
