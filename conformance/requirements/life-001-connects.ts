import { CONNECT_LIMIT } from "../scenes/stops.ts";
import { type DynamicRequirement, endOf } from "./requirement.ts";

export const connects: DynamicRequirement = {
  id: "LIFE-001",
  level: "MUST",
  section: "2.3",
  title: "python -u -m <app_name>.main connects to the daemon within 15 s",
  mutants: ["LIFE-001-crash-at-import", "LIFE-001-never-connects"],
  scenes: ["first-run"],
  judge({ runs }) {
    const [run] = runs;
    if (run === undefined) return { skip: "The app was not run." };
    if (run.connectedAt === null) {
      const ended = run.askedAt === null ? ` The process ${endOf(run)}.` : "";
      const message = `No connection to the daemon within ${CONNECT_LIMIT} s of the start.${ended} The main block must make the app and call wrapped_run(), with nothing slow before it.`;
      return { observed: [{ message, scene: run.scene, t: run.endedAt ?? run.startedAt, errors: run.lastErrors }] };
    }
    const value = run.connectedAt - run.startedAt;
    return { observed: [], measured: [{ name: "start to connection", value, unit: "s", limit: CONNECT_LIMIT }] };
  },
};
