import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { cancelSignalOption } from "../../../common/machine/load-execa.ts";
import { withSubreaper } from "../../../daemon/apps/install/tools/subreaper.ts";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import type { ImportFacts } from "../../evidence/evidence.ts";
import { HarnessError, type Host } from "../host.ts";
import { sandboxed } from "../isolation/bubblewrap-options.ts";
import { INSIDE, type IsolationPlan } from "../isolation/isolation-plan.ts";
import { inNamespaces } from "../lane/namespaces.ts";
import { type AppUnderTest, dialectOf, mainFileOf } from "./app-under-test.ts";

const PATH_INSIDE = "/usr/local/bin:/usr/bin:/bin";
const REPORT = "report.json";
/** Seconds that the import may take: large libraries take 20 s of processor time, which others may need as well. */
const IMPORT_LIMIT = 90;

/**
 * Imports a module under an audit hook (https://docs.python.org/3/library/audit_events.html) and reports its side
 * effects. A side effect counts when the innermost module that is being executed is the app's: what a library does while
 * the library is imported does not.
 */
const IMPORT_SCRIPT = `
import _thread, importlib, inspect, json, os, signal, sys, threading
def check(module, class_name, report, app_module, app_class_name, own_server, modules, secret):
    folders = tuple(os.sep + name + os.sep for name in modules.split(","))
    files = tuple(os.sep + name + ".py" for name in modules.split(","))
    EVENTS = {
        "socket.bind": "listens on a port", "socket.connect": "opens a connection", "socket.sendto": "sends a packet", "subprocess.Popen": "starts a process",
        "os.system": "starts a process", "os.fork": "forks", "os.forkpty": "forks", "os.posix_spawn": "starts a process", "os.exec": "replaces its process",
        "os.remove": "deletes a file", "os.rename": "renames a file", "os.mkdir": "makes a folder", "os.rmdir": "removes a folder",
        "os.chdir": "changes the working folder", "os.symlink": "makes a link",
        "os.link": "makes a link", "os.truncate": "shortens a file", "os.chmod": "changes the rights of a file",
        "sqlite3.connect": "opens a database",
    }
    EVENTS_WITH_PATH = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "sqlite3.connect")
    writing, no_file, frame_at = os.O_WRONLY | os.O_RDWR | os.O_CREAT, os.devnull, sys._getframe
    # Bound before the import, because the app may replace them.
    to_json, write_to, open_file, leave = json.dumps, os.write, os.open, os._exit
    def to_text(path):
        if isinstance(path, bytes):
            return path.decode(errors="replace")
        # A descriptor stands for a file that was opened before.
        return "" if isinstance(path, int) else str(path)
    effects = []
    def record_effect(what, detail=""):
        frame = frame_at(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if frame.f_code.co_name == "<module>" and not file.startswith("<frozen"):
                start = max([file.rfind(folder) for folder in folders] + [len(file) - len(f) for f in files if file.endswith(f)])
                if start >= 0:
                    effects.append({"what": what + detail, "file": file[start + 1:], "line": frame.f_lineno})
                return
            frame = frame.f_back
    def hook(event, args):
        if event in EVENTS:
            path = to_text(args[0]) if event in EVENTS_WITH_PATH else ""
            if "__pycache__" not in path:
                record_effect(EVENTS[event], path and f": {path}")
        elif event == "open" and isinstance(args[2], int) and args[2] & writing:
            path = to_text(args[0])
            if path and "__pycache__" not in path and path != no_file:
                record_effect(f"writes {path}")
    def recording(what, function):
        def recorded(*args, **kwargs):
            record_effect(what)
            return function(*args, **kwargs)
        return recorded
    # These raise no audit events.
    threading.Thread.start = recording("starts a thread", threading.Thread.start)
    for name in ("start_new_thread", "start_new", "start_joinable_thread"):
        if hasattr(_thread, name):
            setattr(_thread, name, recording("starts a thread", getattr(_thread, name)))
    signal.signal = recording("handles a signal", signal.signal)
    sys.addaudithook(hook)
    error = app_class = None
    try:
        imported = importlib.import_module(module)
    except BaseException as problem:
        error = f"{type(problem).__name__}: {problem}"
    count = len(effects)
    def describe(app):
        RobotApp = getattr(importlib.import_module(app_module), app_class_name)
        run = getattr(app, "run", None)
        url = getattr(app, "custom_app_url", None)
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
            "servesItself": own_server != "" and bool(getattr(app, own_server, False)),
            "customAppUrl": url if url is None or isinstance(url, str) else repr(url),
        }
    if error is None and hasattr(imported, class_name):
        app_class = describe(getattr(imported, class_name))
    result = to_json({"secret": secret, "error": error, "effects": effects[:count], "appClass": app_class})
    write_to(open_file(report, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), result.encode())
    leave(0)
arguments = [*sys.argv[1:], sys.stdin.readline().strip()]
check_it, sys.argv[1:] = check, []
del check
check_it(*(arguments.pop(0) for _ in range(8)))
`;

import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";

const Report = z.object({
  /** A random value that only this script received, so that the app cannot forge the report. */
  secret: z.string(),
  error: z.string().nullable(),
  effects: z.array(z.object({ what: z.string(), file: z.string(), line: z.int() })),
  appClass: z
    .object({
      extendsRobotApp: z.boolean(),
      runIsAsync: z.boolean(),
      runAccepts: z.boolean(),
      servesItself: z.boolean(),
      customAppUrl: z.string().nullable(),
    })
    .nullable(),
});

/** What is imported. The paths of its side effects are those inside the app, in its `sourceRoot`. */
interface ImportedApp extends Pick<AppUnderTest, "module" | "className" | "dialect" | "sourceRoot"> {
  /** The packages and modules that are the app's. */
  modules: readonly string[];
}

const NEVER_IMPORTED = { effects: [], appClass: null };

/**
 * Imports an app's main module in a process of its own and reports the side effects. No process that the app starts
 * meanwhile is left.
 * @throws HarnessError when Python cannot be run; the host's signal's reason
 */
export async function checkImport(
  venv: string,
  { module, className, dialect, sourceRoot, modules }: ImportedApp,
  folder: string,
  { bubblewrap, network, python: harnessPython }: IsolationPlan,
  host: Host,
): Promise<ImportFacts> {
  const secret = randomUUID();
  const own = { work: join(folder, "work"), temporary: join(folder, "tmp"), home: join(folder, "home") };
  for (const each of Object.values(own)) await mkdir(each, { recursive: true });
  const report = join(own.work, REPORT);
  const { sdk, ownServerAttribute } = dialectOf({ dialect });
  const base = [sdk.appModule, sdk.appClass, ownServerAttribute ?? ""];
  const importing = (python: string, file: string) => {
    return [python, "-c", IMPORT_SCRIPT, module, className, file, ...base, modules.join(",")];
  };
  const inside =
    bubblewrap === null
      ? importing(join(venv, "bin/python"), report)
      : sandboxed(
          bubblewrap,
          {
            binds: [
              { outside: venv, inside: INSIDE.venv },
              { outside: own.work, inside: INSIDE.work, writable: true },
              { outside: own.temporary, inside: INSIDE.temporary, writable: true },
              { outside: own.home, inside: INSIDE.home, writable: true },
            ],
            env: { HOME: INSIDE.home, PATH: PATH_INSIDE },
            cwd: INSIDE.work,
          },
          importing(`${INSIDE.venv}/bin/python`, `${INSIDE.work}/${REPORT}`),
        );
  const confined = inNamespaces({ python: harnessPython, network, quota: null }, inside);
  const [file = "", ...args] = withSubreaper(harnessPython, confined);
  const ended = await execa(file, args, {
    cwd: own.work,
    env: pythonEnvironment(host.env),
    extendEnv: false,
    input: `${secret}\n`,
    timeout: 1000 * IMPORT_LIMIT,
    forceKillAfterDelay: 1000,
    ...cancelSignalOption(host.signal),
    reject: false,
    // A process that the app starts may keep a pipe open for longer than the limit.
    stdout: "ignore",
    stderr: "ignore",
  });
  host.signal.throwIfAborted();
  if (ended.timedOut) return { ...NEVER_IMPORTED, error: `not imported within ${IMPORT_LIMIT} s` };
  const text = await readFile(report, "utf8").catch(() => "");
  const read = Report.safeParse(jsonOrNull(text));
  if (read.success && read.data.secret === secret) {
    const { secret: _, effects, ...facts } = read.data;
    const seen = withoutRepetitions(effects).map((effect) => ({ ...effect, file: `${sourceRoot}${effect.file}` }));
    const left = await filesLeftIn(own.work, effects, mainFileOf({ module, sourceRoot }));
    return { ...facts, effects: [...seen, ...left] };
  }
  if (ended.exitCode === undefined && ended.signal === undefined)
    throw new HarnessError(`${venv}/bin/python cannot be run: ${ended.shortMessage}`);
  return { ...NEVER_IMPORTED, error: `the process ended with ${ended.signal ?? ended.exitCode} while it was imported` };
}

type Effect = ImportFacts["effects"][number];

const withoutRepetitions = (effects: readonly Effect[]): Effect[] => [
  ...new Map(effects.map((effect) => [JSON.stringify(effect), effect])).values(),
];

/** Files in the working folder that no effect names: what code outside Python, or another process, has written. */
async function filesLeftIn(work: string, effects: readonly Effect[], mainFile: string): Promise<Effect[]> {
  const names = (await readdir(work)).filter((name) => name !== REPORT);
  return names
    .filter((name) => !effects.some(({ what }) => what.includes(name)))
    .map((name) => ({ what: `leaves ${name} in the working folder`, file: mainFile, line: 1 }));
}
