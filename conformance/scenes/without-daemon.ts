import { join } from "node:path";
import { launch } from "../runner/launch.ts";
import { GRACE } from "../runner/stage.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { CONNECT_LIMIT } from "./stops.ts";

/**
 * Runs the app as its main block does, and sets its stop event, as nothing else would, when a line comes in. The main
 * thread is the app's.
 */
const STOP_EVENT_ALONE = `
import importlib, sys, threading
app = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])()
def wait():
    sys.stdin.readline()
    app.stop_event.set()
threading.Thread(target=wait, daemon=True).start()
app.wrapped_run()
`;

/** A person runs it in a terminal whose folder has nothing to do with the app, without a standard input. */
export const fromElsewhere: ScenePlan = {
  id: "from-elsewhere",
  title: "Run by hand in another folder, without standard input",
  async play(stage) {
    const cwd = join(stage.options.folder, "a folder of somebody élse");
    stage.act(`python -u -m ${stage.options.app.module} in another folder`);
    const { run, signal, kill } = await launch(stage, {
      args: ["-u", "-m", stage.options.app.module],
      cwd,
      stdin: "closed",
    });
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) await stage.moment(0.5, 1);
    if (run.isOver) return;
    await stage.ask(run, "stop");
    signal("SIGINT");
    await stage.leave(run, GRACE);
    kill();
    await stage.over(run);
  },
};

/** Ended by its stop event and by nothing else. */
export const stopEventAlone: ScenePlan = {
  id: "stop-event-alone",
  title: "The stop event is set, without a signal",
  async play(stage) {
    const { module, className } = stage.options.app;
    const cwd = join(stage.options.folder, "work");
    const args = ["-u", "-c", STOP_EVENT_ALONE, module, className];
    const { run, say, kill } = await launch(stage, { args, cwd, stdin: "pipe" });
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) await stage.moment(0.3, 1);
    if (run.isOver) return;
    await stage.ask(run, "stop-event");
    say("\n");
    await stage.leave(run, GRACE);
    kill();
    await stage.over(run);
  },
};
