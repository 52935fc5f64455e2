import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DIALECTS } from "../../../robot/dialects/dialects.ts";

/** Environment variable that names the file that the instrument writes to. */
export const TRACE_VARIABLE = "ROBOT_CERTIFY_TRACE";
/** Environment variable with a word that each line begins with; lines without it do not count. */
export const SECRET_VARIABLE = "ROBOT_CERTIFY_SECRET";
/** The signal whose handler raises an error in the app's main thread. */
export const ERROR_SIGNAL = "SIGUSR1";
/** What markers call that error. */
export const INJECTED_ERROR = "CertificationError";

/** Parts of the names and texts of errors, as those of ordinary libraries. */
const ERROR_WORDS = [
  ["Sensor", "Frame", "Stream", "Buffer", "Device", "Session", "Payload", "Channel"],
  ["Timeout", "Overflow", "State", "Format", "Sync", "Access", "Limit", "Lookup"],
] as const;

/**
 * The class of that error in an app, and its text: others in each certification, so that no app knows it.
 * @param secret the word of the instrument
 */
export function injectedErrorOf(secret: string): { name: string; text: string } {
  const number = [...secret].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7);
  const [firsts, seconds] = ERROR_WORDS;
  const [first = "", second = ""] = [firsts[number % firsts.length], seconds[(number >> 3) % seconds.length]];
  return { name: `${first}${second}Error`, text: `${first.toLowerCase()} ${second.toLowerCase()} (${number})` };
}

/** The base class of apps by the module that defines it, in every dialect. */
const BASES = Object.fromEntries(DIALECTS.map(({ sdk }) => [sdk.appModule, sdk.appClass]));

/**
 * A module that Python loads when it starts with its folder on PYTHONPATH (https://docs.python.org/3/library/site.html).
 * It writes trace markers when the interpreter starts and when `run()` is entered and left. Only the test runs that need
 * its details load it; in the others an app finds nothing of it.
 */
const INSTRUMENT = `
import os

if "${TRACE_VARIABLE}" in os.environ:
    import functools
    import importlib.util
    import signal
    import sys
    import time

    TRACE_FILE, SECRET = os.environ.pop("${TRACE_VARIABLE}"), os.environ.pop("${SECRET_VARIABLE}")
    os.environ.pop("PYTHONPATH", None)
    sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(__file__)]

    BASES = ${JSON.stringify(BASES)}

    PROCESS_STARTS = {("subprocess", "__init__"), ("subprocess", "_execute_child"), ("multiprocessing.process", "start")}

    number = 7
    for character in SECRET:
        number = (number * 31 + ord(character)) % 1000003
    first, second = [words[part % len(words)] for words, part in zip(${JSON.stringify(ERROR_WORDS)}, (number, number >> 3))]
    Injected = type(f"{first}{second}Error", (Exception,), {"__module__": "builtins"})

    def trace(what):
        file = os.open(TRACE_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, f"{SECRET} {time.time()} {os.getpid()} {what}\\n".encode())
        os.close(file)

    def starts_process(frame):
        while frame is not None:
            if (frame.f_globals.get("__name__"), frame.f_code.co_name) in PROCESS_STARTS:
                return True
            frame = frame.f_back
        return False

    def fail(_number, frame):
        # The first one is still being handled: a second one would end a wait that the first has begun.
        if sys.exc_info()[0] is Injected:
            return
        # The app would have no handle of the process that is being started, and could not end it.
        if starts_process(frame):
            return trace("postponed")
        trace("injected")
        raise Injected(f"{first.lower()} {second.lower()} ({number})")

    def traced(run):
        @functools.wraps(run)
        def wrapper(self, *args, **kwargs):
            # The run of a base class, called by that of the app, is part of it.
            if getattr(self, "_certified_run", False):
                return run(self, *args, **kwargs)
            self._certified_run = True
            trace("entered")
            try:
                run(self, *args, **kwargs)
            except BaseException as error:
                trace(f"raised {'${INJECTED_ERROR}' if type(error) is Injected else type(error).__name__}")
                raise
            finally:
                self._certified_run = False
            trace("returned")

        return wrapper

    def watch(base):
        # By the class itself, so that it works whatever the app makes of wrapped_run().
        def subclassed(cls, **options):
            super(base, cls).__init_subclass__(**options)
            if "run" in vars(cls):
                cls.run = traced(vars(cls)["run"])

        base.__init_subclass__ = classmethod(subclassed)

    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name not in BASES:
                return None
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(name)
            sys.meta_path.insert(0, self)
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                watch(getattr(module, BASES[name]))

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())
    # From the start of the interpreter, so that it works whatever the app makes of wrapped_run().
    signal.signal(signal.${ERROR_SIGNAL}, fail)
    trace("importing")
`;

/** Writes the instrument into a folder. */
export function writeInstrument(folder: string): void {
  writeFileSync(join(folder, "sitecustomize.py"), INSTRUMENT);
}

/** One line that the instrument wrote. */
export interface TraceMarker {
  /** Milliseconds since the Unix epoch. */
  time: number;
  pid: number;
  /**
   * `importing`, `entered`, `returned`, `raised`, `injected` when the error is raised, or `postponed` when it is not, because
   * the app is starting a process.
   */
  what: string;
  /** Class of what was raised. */
  raised: string | null;
}

/**
 * Reads what the instrument has written so far.
 * @param secret the word that was given to it
 */
export async function readTraceMarkers(file: string, secret: string): Promise<TraceMarker[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.matchAll(/^(\S+) (\S+) (\d+) (\w+)(?: (\w+))?$/gm);
  return [...lines].flatMap(([, word, time, pid, what = "", raised = null]) => {
    return word === secret ? [{ time: 1000 * Number(time), pid: Number(pid), what, raised }] : [];
  });
}
