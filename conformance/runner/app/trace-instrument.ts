import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";

/** Environment variables that turn the instrument on: the file it writes to, and the daemon address it sets. */
export const TRACE_VARIABLE = "ROBOT_CERTIFY_TRACE";
export const URL_VARIABLE = "ROBOT_CERTIFY_URL";
/** The signal whose handler raises an error in the app's main thread. */
export const ERROR_SIGNAL = "SIGUSR1";
/** The class of that error. */
export const INJECTED_ERROR = "CertificationError";

/**
 * A module in the Python environment of a certification. It writes trace markers when the interpreter starts and when
 * `run()` is entered and left, and gives the app the address of the tap for that of the daemon. Without the variables it
 * does nothing.
 */
const INSTRUMENT = `
import os

if "${TRACE_VARIABLE}" in os.environ:
    import functools
    import importlib.util
    import signal
    import sys
    import time

    os.environ["ROBOT_DAEMON_URL"] = os.environ["${URL_VARIABLE}"]

    class ${INJECTED_ERROR}(Exception):
        """Raised by robot-app-assistant certify, to see how the app ends on an error."""

    def trace(what):
        file = os.open(os.environ["${TRACE_VARIABLE}"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, f"{time.time()} {os.getpid()} {what}\\n".encode())
        os.close(file)

    def fail(_number, _frame):
        raise ${INJECTED_ERROR}("raised by robot-app-assistant certify, to see how the app ends on an error")

    def watch(RobotApp):
        wrapped_run = RobotApp.wrapped_run

        @functools.wraps(wrapped_run)
        def watched(self):
            run = self.run

            @functools.wraps(run)
            def traced(*args, **kwargs):
                trace("entered")
                try:
                    run(*args, **kwargs)
                except BaseException as error:
                    trace(f"raised {type(error).__name__}")
                    raise
                trace("returned")

            self.run = traced
            return wrapped_run(self)

        RobotApp.wrapped_run = watched

    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name != "robot_sdk.app":
                return None
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(name)
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                watch(module.RobotApp)

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())
    # From the start of the interpreter, so that it works whatever the app makes of wrapped_run().
    signal.signal(signal.${ERROR_SIGNAL}, fail)
    trace("importing")
`;

/** Puts the instrument into an environment. */
export async function installInstrument(venv: string): Promise<void> {
  for (const folder of await sitePackagesOf(venv)) {
    await writeFile(join(folder, "robot_certification.py"), INSTRUMENT);
    // Python runs lines of a .pth file that begin with import: https://docs.python.org/3/library/site.html
    await writeFile(join(folder, "robot_certification.pth"), "import robot_certification\n");
  }
}

/** One line that the instrument wrote. */
export interface TraceMarker {
  /** Milliseconds since the Unix epoch. */
  time: number;
  pid: number;
  /** `importing`, `entered`, `returned` or `raised`. */
  what: string;
  /** Class of what was raised. */
  raised: string | null;
}

/** Reads what the instrument has written so far. */
export async function readTraceMarkers(file: string): Promise<TraceMarker[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return [...text.matchAll(/^(\S+) (\d+) (\w+)(?: (\w+))?$/gm)].map(([, time, pid, what = "", raised = null]) => {
    return { time: 1000 * Number(time), pid: Number(pid), what, raised };
  });
}
