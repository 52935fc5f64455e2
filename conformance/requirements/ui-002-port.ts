import { CONFLICT_LIMIT } from "../scenes/adversity.ts";
import { type DynamicRequirement, NO_PAGE } from "./requirement.ts";

export const port: DynamicRequirement = {
  id: "UI-002",
  level: "MUST",
  section: "2.3",
  title: "The port of its page is free after the exit, and a taken port ends the app at once",
  mutants: ["UI-002-goes-on-without-its-page"],
  scenes: ["first-run", "port-taken"],
  judge({ app, facts, runs }) {
    if (app.page === null) return { skip: NO_PAGE };
    const run = runs.find(({ scene }) => scene === "port-taken");
    const held = `Port ${app.page.port} was still taken 2 s after the exit of the app.`;
    const went = `The port of ${app.page.url} was taken, and the app still ran ${CONFLICT_LIMIT} s later. Let the error of wrapped_run() end it.`;
    return {
      observed: [
        ...(facts.portFreed === false ? [{ message: held, scene: "first-run" }] : []),
        ...(run !== undefined && run.askedAt !== null ? [{ message: went, scene: run.scene, t: run.askedAt }] : []),
      ],
    };
  },
};
