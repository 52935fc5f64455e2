import { CONNECT_LIMIT } from "../scenes/stops.ts";
import { type DynamicRequirement, endOf } from "./requirement.ts";

export const anywhere: DynamicRequirement = {
  id: "LIFE-002",
  level: "MUST",
  section: "2.3",
  title: "Runs in any working directory, with the environment it inherits and without standard input",
  mutants: ["LIFE-002-reads-standard-input", "LIFE-002-insists-on-its-folder"],
  scenes: ["from-elsewhere"],
  judge({ runs }) {
    const [run] = runs;
    if (run === undefined) return { skip: "The app was not run." };
    const byItself = run.askedAt === null;
    const fine = run.connectedAt !== null && (byItself ? run.exit?.code === 0 : true);
    if (fine) return { observed: [] };
    const what =
      run.connectedAt === null
        ? `did not connect within ${CONNECT_LIMIT} s${byItself ? ` and ${endOf(run)}` : ""}`
        : endOf(run);
    const message = `In another folder and without standard input the app ${what}. Read files beside __file__, and expect nothing of sys.stdin.`;
    return { observed: [{ message, scene: run.scene, t: run.endedAt ?? run.startedAt, errors: run.lastErrors }] };
  },
};
