import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pythonScript } from "../../../common/machine/python-script.ts";
import { RUN_ID_VARIABLE } from "../../../daemon/apps/start/app-command.ts";
import { instrumentVariables, writeInstrument } from "../app/trace-instrument.ts";
import type { Surroundings } from "../surroundings/surroundings.ts";
import { type Bind, bubblewrapOptions } from "./bubblewrap-options.ts";
import { INSIDE, type IsolationPlan } from "./isolation-plan.ts";
import { type LaunchRecord, readLaunchRecords } from "./launch-records.ts";
import { variablesOfHome } from "./own-home.ts";

/** Folders that an app may write to. */
const WRITABLE = ["temporary", "sharedMemory", "home", "work", "elsewhere"] as const;

interface AppPythonOptions {
  /** A folder that the app never sees. */
  folder: string;
  /** The Python environment with the app in it. */
  venv: string;
  folders: Readonly<Record<(typeof WRITABLE)[number], string>>;
  isolation: IsolationPlan;
  /** What the app shares with others; without it, it finds the environment alone. */
  surroundings?: Surroundings;
  /** The environment of the process that starts it. */
  env: Readonly<Record<string, string | undefined>>;
}

/** How to start the app. */
interface LaunchSettings {
  /** The address that it is given for the daemon's. */
  daemonUrl: string;
  /** The daemon's token; null: the app is given none. */
  token: string | null;
  /** Whether the trace instrument is loaded into it. */
  instrumented: boolean;
  /** Variables that it is given besides. */
  variables?: Readonly<Record<string, string>>;
}

/** Variables that an app under bubblewrap inherits; no others, because they may hold secrets or tell of a certification. */
const INHERITED = [RUN_ID_VARIABLE, "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "TZ", "TERM"];

/** Process ids above all that the system gives (2 ** 22), for helper processes of a sandbox that connect. */
const HELPER_IDS = 2 ** 22;

/**
 * A stand-in for a Python environment: a folder with the same content, except that its `bin/python` starts Python under
 * bubblewrap, or plainly, and with the settings of the test run. The daemon uses it like any other environment.
 */
export class AppPython {
  /** The stand-in. */
  readonly venv: string;
  /** What the trace instrument writes to, as this process sees it. */
  readonly traceFile: string;
  /** The word of the trace instrument, which tells its lines from those of an app. */
  readonly secret = randomUUID();
  readonly #options: AppPythonOptions;
  readonly #record: string;

  constructor(options: AppPythonOptions) {
    const { folder } = options;
    this.#options = options;
    this.venv = join(folder, "venv");
    this.traceFile = join(folder, "trace", "trace");
    this.#record = join(folder, "record");
    for (const name of ["venv/bin", "trace", "instrument"]) mkdirSync(join(folder, name), { recursive: true });
    this.#linkContent();
    writeFileSync(join(folder, "forwarder.py"), pythonScript("forwarder.py", import.meta.url));
    writeInstrument(join(folder, "instrument"));
  }

  /** The program that starts the app's Python. */
  get python(): string {
    return join(this.venv, "bin/python");
  }

  /** Applies to all starts from now on. */
  configure(settings: LaunchSettings): void {
    // What was installed meanwhile.
    this.#linkContent();
    const { isolation, surroundings } = this.#options;
    surroundings?.reset(settings.token);
    const script = isolation.bubblewrap === null ? this.#plain(settings) : this.#sandboxed(settings);
    // A new file in its place: the system refuses to write one that is being executed.
    const next = join(this.#options.folder, "next-python");
    writeFileSync(next, script, { mode: 0o755 });
    renameSync(next, this.python);
  }

  /** Links what the environment has and this folder does not; its `bin/python` is its own. */
  #linkContent(): void {
    const { venv } = this.#options;
    const linked = new Set(["bin", "bin/python"]);
    for (const part of ["", "bin"]) for (const name of readdirSync(join(this.venv, part))) linked.add(join(part, name));
    for (const part of ["", "bin"])
      for (const name of readdirSync(join(venv, part)))
        if (!linked.has(join(part, name))) symlinkSync(join(venv, part, name), join(this.venv, part, name));
  }

  /** The process of the app itself, for the main process that the daemon knows; null while it has not started. */
  mainProcess(known: number): number | null {
    if (this.#options.isolation.bubblewrap === null) return known;
    return this.launches().find((launch) => launch.known === known)?.main ?? null;
  }

  /** The process that the daemon knows, for the process id that a client of the daemon sends. */
  knownProcess(sent: number): number {
    if (this.#options.isolation.bubblewrap === null) return sent;
    const launch = this.launches().at(-1);
    return launch?.inside === sent ? launch.known : HELPER_IDS + sent;
  }

  /** Whether a process id that the trace instrument wrote is that of the app's main process. */
  isMainProcess(traced: number, known: number): boolean {
    if (this.#options.isolation.bubblewrap === null) return traced === known;
    return this.launches().some((launch) => launch.known === known && launch.inside === traced);
  }

  /** The process that the daemon knows, for the app's own main process. */
  knownFor(main: number): number {
    return this.launches().findLast((launch) => launch.main === main)?.known ?? main;
  }

  /** Processes of the sandboxes themselves, which are not the app's. */
  wrappers(): number[] {
    return this.launches().flatMap(({ wrappers }) => wrappers);
  }

  /** The starts of the app under bubblewrap so far. */
  launches(): LaunchRecord[] {
    return readLaunchRecords(this.#record);
  }

  #plain({ daemonUrl, token, instrumented, variables }: LaunchSettings): string {
    const { folder, venv, folders, isolation, env: inherited } = this.#options;
    const { temporary, home } = folders;
    const env: Record<string, string> = {
      ROBOT_DAEMON_URL: daemonUrl,
      HOME: home,
      TMPDIR: temporary,
      ...(token === null ? {} : { ROBOT_DAEMON_TOKEN: token }),
      ...variables,
      ...(instrumented ? instrumentVariables(join(folder, "instrument"), this.traceFile, this.secret) : {}),
    };
    const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
    const given = new Set([...Object.keys(env), ...(isolation.secrets ?? [])]);
    const removed = [...variablesOfHome(inherited), "ROBOT_DAEMON_TOKEN"].filter((name) => !given.has(name));
    // Not `unset`: a shell ends at a name that it cannot give, such as that of an exported function.
    const words = ["/usr/bin/env", ...removed.flatMap((name) => ["-u", name]), join(venv, "bin/python")];
    return ["#!/bin/sh", ...exports, `exec ${words.map(quoted).join(" ")} "$@"`, ""].join("\n");
  }

  #sandboxed({ daemonUrl, token, instrumented, variables }: LaunchSettings): string {
    const { folder, venv, folders, isolation, surroundings } = this.#options;
    const { bubblewrap } = isolation;
    if (bubblewrap === null) throw new Error("there is no bubblewrap");
    const trace: readonly Bind[] = instrumented
      ? [
          { outside: join(folder, "instrument"), inside: INSIDE.instrument },
          { outside: join(folder, "trace"), inside: INSIDE.trace, writable: true },
        ]
      : [];
    const options = bubblewrapOptions(bubblewrap, {
      binds: [
        ...(surroundings === undefined ? [] : [surroundings.dataFolder()]),
        { outside: realpathSync(venv), inside: INSIDE.venv },
        ...(surroundings?.binds() ?? []),
        ...WRITABLE.map((name) => ({ outside: folders[name], inside: INSIDE[name], writable: true }) as const),
        ...trace,
      ],
      env: {
        PATH: "/usr/local/bin:/usr/bin:/bin",
        HOME: INSIDE.home,
        USER: "robot",
        LOGNAME: "robot",
        ROBOT_DAEMON_URL: daemonUrl,
        ...(token === null ? {} : { ROBOT_DAEMON_TOKEN: token }),
        ...variables,
        ...(instrumented ? instrumentVariables(INSIDE.instrument, `${INSIDE.trace}/trace`, this.secret) : {}),
      },
    });
    const optionsFile = join(folder, "options");
    writeFileSync(optionsFile, options.map((option) => `${option}\0`).join(""));
    const pairs = (["work", "elsewhere"] as const).map((name) => `${realpathSync(folders[name])}=${INSIDE[name]}`);
    const words = ["-I", "-S", join(folder, "forwarder.py"), bubblewrap.path, optionsFile, this.#record];
    const all = [
      ...words,
      [...INHERITED, ...(isolation.secrets ?? [])].join(","),
      pairs.join("\n"),
      `${INSIDE.venv}/bin/python`,
    ];
    return `#!/bin/sh\nexec ${quoted(isolation.python)} ${all.map(quoted).join(" ")} "$@"\n`;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
