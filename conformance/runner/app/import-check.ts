import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import type { ImportFacts } from "../../evidence/evidence.ts";
import { HarnessError, type Host } from "../host.ts";
import type { AppUnderTest } from "./app-under-test.ts";

/** Seconds that the import may take. */
const IMPORT_LIMIT = 30;

/**
 * Imports a module under an audit hook (https://docs.python.org/3/library/audit_events.html) and reports its side
 * effects. A side effect counts when the innermost module that is being executed is the app's: what a library does while
 * the library is imported does not.
 */
const IMPORT_SCRIPT = `
import importlib, inspect, json, os, signal, sys, threading
module, class_name, report = sys.argv[1:]
own = os.sep + module.split(".")[0] + os.sep
EFFECTS = {
    "socket.bind": "listens on a port", "socket.connect": "opens a connection", "subprocess.Popen": "starts a process",
    "os.system": "starts a process", "os.fork": "forks", "os.posix_spawn": "starts a process", "os.exec": "replaces its process",
    "os.remove": "deletes a file", "os.rename": "renames a file", "os.mkdir": "makes a folder", "os.rmdir": "removes a folder",
    "os.putenv": "changes the environment",
}
effects = []
def innermost():
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name == "<module>" and not frame.f_code.co_filename.startswith("<frozen"):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "", 0
def note(what, detail=""):
    file, line = innermost()
    if own in file:
        effects.append({"what": what + detail, "file": file[file.rindex(own) + 1:], "line": line})
def hook(event, args):
    if event in EFFECTS:
        note(EFFECTS[event], f": {args[0]}" if event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir") else "")
    elif event == "open" and isinstance(args[0], str) and isinstance(args[2], int):
        if args[2] & (os.O_WRONLY | os.O_RDWR) and "__pycache__" not in args[0] and args[0] != os.devnull:
            note(f"writes {args[0]}")
def noting(what, does):
    def noted(*args, **kwargs):
        note(what)
        return does(*args, **kwargs)
    return noted
# These raise no audit events.
threading.Thread.start = noting("starts a thread", threading.Thread.start)
signal.signal = noting("handles a signal", signal.signal)
sys.addaudithook(hook)
error = app_class = None
try:
    imported = importlib.import_module(module)
except BaseException as problem:
    error = f"{type(problem).__name__}: {problem}"
count = len(effects)
def describe(app):
    from robot_sdk import RobotApp
    run = getattr(app, "run", None)
    def accepts(*args):
        try:
            inspect.signature(run).bind(*args)
        except (TypeError, ValueError):
            return False
        return True
    return {
        "extendsRobotApp": isinstance(app, type) and issubclass(app, RobotApp),
        "runIsAsync": inspect.iscoroutinefunction(run),
        "runAccepts": callable(run) and accepts(None, None, None),
    }
if error is None and hasattr(imported, class_name):
    app_class = describe(getattr(imported, class_name))
with open(report, "w") as file:
    json.dump({"error": error, "effects": effects[:count], "appClass": app_class}, file)
os._exit(0)
`;

const Report = z.object({
  error: z.string().nullable(),
  effects: z.array(z.object({ what: z.string(), file: z.string(), line: z.int() })),
  appClass: z.object({ extendsRobotApp: z.boolean(), runIsAsync: z.boolean(), runAccepts: z.boolean() }).nullable(),
});

/**
 * Imports an app's main module in a process of its own and reports the side effects.
 * @throws HarnessError when Python cannot be run; the host's signal's reason
 */
export async function checkImport(
  venv: string,
  { module, className }: Pick<AppUnderTest, "module" | "className">,
  folder: string,
  host: Host,
): Promise<ImportFacts> {
  await mkdir(folder, { recursive: true });
  const report = join(folder, "report.json");
  const python = join(venv, "bin/python");
  const ended = await execa(python, ["-c", IMPORT_SCRIPT, module, className, report], {
    cwd: folder,
    env: pythonEnvironment(host.env),
    extendEnv: false,
    stdin: "ignore",
    timeout: 1000 * IMPORT_LIMIT,
    forceKillAfterDelay: 1000,
    cancelSignal: host.signal,
    reject: false,
  });
  host.signal.throwIfAborted();
  if (ended.timedOut) return { error: `not imported within ${IMPORT_LIMIT} s`, effects: [], appClass: null };
  const text = await readFile(report, "utf8").catch(() => null);
  if (text !== null) return Report.parse(JSON.parse(text));
  if (ended.exitCode === undefined) throw new HarnessError(`${python} cannot be run: ${ended.shortMessage}`);
  return { error: `the process ended with ${ended.exitCode} while it was imported`, effects: [], appClass: null };
}
