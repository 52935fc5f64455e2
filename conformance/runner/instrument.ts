import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sitePackagesOf } from "../../daemon/apps/catalogue/catalogue.ts";

/** Environment variables by which the instrument finds out that it is wanted. */
export const MARKS_VARIABLE = "ROBOT_CERTIFY_MARKS";
export const URL_VARIABLE = "ROBOT_CERTIFY_URL";
/** Its handler raises an error in the app's main thread, once `run()` is entered. */
export const ERROR_SIGNAL = "SIGUSR1";
/** The class of that error. */
export const INJECTED_ERROR = "CertificationError";

/**
 * Sits in the Python environment of a certification and writes down how far an app is: that its interpreter runs, that
 * `run()` is entered and left. It gives the app the address of the tap for that of the daemon. Without the variables
 * it does nothing.
 */
const INSTRUMENT = `
import os

if "${MARKS_VARIABLE}" in os.environ:
    import functools
    import importlib.util
    import signal
    import sys
    import threading
    import time

    os.environ["ROBOT_DAEMON_URL"] = os.environ["${URL_VARIABLE}"]

    class ${INJECTED_ERROR}(Exception):
        """Raised by robot-app-assistant certify, to see how the app ends on an error."""

    def mark(what):
        file = os.open(os.environ["${MARKS_VARIABLE}"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
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
            def marked(*args, **kwargs):
                if threading.current_thread() is threading.main_thread():
                    signal.signal(signal.${ERROR_SIGNAL}, fail)
                mark("entered")
                try:
                    run(*args, **kwargs)
                except BaseException as error:
                    mark(f"raised {type(error).__name__}")
                    raise
                mark("returned")

            self.run = marked
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
    mark("importing")
`;

/** Puts the instrument into an environment. */
export async function installInstrument(venv: string): Promise<void> {
  for (const folder of await sitePackagesOf(venv)) {
    await writeFile(join(folder, "robot_certification.py"), INSTRUMENT);
    // Python runs lines of a .pth file that begin with import: https://docs.python.org/3/library/site.html
    await writeFile(join(folder, "robot_certification.pth"), "import robot_certification\n");
  }
}

/** One line of the instrument. */
export interface Mark {
  /** Milliseconds since the Unix epoch. */
  time: number;
  pid: number;
  /** `importing`, `entered`, `returned` or `raised`. */
  what: string;
  /** Class of what was raised. */
  raised: string | null;
}

/** What the instrument has written so far. */
export async function readMarks(file: string): Promise<Mark[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return [...text.matchAll(/^(\S+) (\d+) (\w+)(?: (\w+))?$/gm)].map(([, time, pid, what = "", raised = null]) => {
    return { time: 1000 * Number(time), pid: Number(pid), what, raised };
  });
}
