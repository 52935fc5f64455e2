import { type DynamicRequirement, endOf } from "./requirement.ts";

const SCENES = ["start-by-startup", "start-by-antenna"];
const HOW: Readonly<Record<string, string>> = {
  "start-by-startup": "as the startup app",
  "start-by-antenna": "by a touch of an antenna",
};

export const anyStart: DynamicRequirement = {
  id: "LIFE-012",
  level: "MUST",
  section: "3",
  title: "Started as the startup app or by an antenna, the app behaves as when started by hand",
  mutants: ["LIFE-012-not-as-startup-app"],
  scenes: ["first-run", ...SCENES],
  judge({ runs }) {
    const first = runs.find(({ scene }) => scene === "first-run");
    const started = SCENES.flatMap((scene) => runs.find((run) => run.scene === scene) ?? []);
    if (started.length === 0) return { skip: "The app was not started." };
    const differs = started.filter((run) => {
      const lives = run.connectedAt !== null && (run.askedAt !== null || first?.askedAt === null);
      return !lives || (run.askedAt === null && run.exit?.code !== 0);
    });
    return {
      observed: differs.map((run) => ({
        message: `Started ${HOW[run.scene]}, the app ${run.connectedAt === null ? "did not connect; it " : ""}${endOf(run)}, unlike when it is started by hand.`,
        scene: run.scene,
        t: run.endedAt ?? run.startedAt,
        errors: run.lastErrors,
      })),
    };
  },
};
