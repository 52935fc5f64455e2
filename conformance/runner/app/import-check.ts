import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { cancelSignalOption } from "../../../common/machine/load-execa.ts";
import { pythonScript } from "../../../common/machine/python-script.ts";
import { withSubreaper } from "../../../common/machine/subreaper.ts";
import { pythonEnvironment } from "../../../daemon/apps/start/python-environment.ts";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import type { ImportFacts } from "../../evidence/evidence.ts";
import { HarnessError, type Host } from "../host.ts";
import { sandboxed } from "../isolation/bubblewrap-options.ts";
import { INSIDE, type IsolationPlan } from "../isolation/isolation-plan.ts";
import { withHome } from "../isolation/own-home.ts";
import { inNamespaces } from "../lane/namespaces.ts";
import { type AppUnderTest, dialectOf, mainFileOf } from "./app-under-test.ts";

const PATH_INSIDE = "/usr/local/bin:/usr/bin:/bin";
const REPORT = "report.json";
/** Seconds that the import may take: large libraries take 20 s of processor time, which others may need as well. */
const IMPORT_LIMIT = 90;

const SCRIPT = pythonScript("import_check.py", import.meta.url);

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
 * Imports an app's main module in a process of its own (`import_check.py`) and reports the side effects. No process that the app starts
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
    return [python, "-c", SCRIPT, module, className, file, ...base, modules.join(",")];
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
    env: pythonEnvironment(withHome(host.env, own.home)),
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
