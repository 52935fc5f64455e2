import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { InstallerParts } from "../../../daemon/apps/install/tools/installer.ts";
import { sandboxed } from "./bubblewrap-options.ts";
import type { IsolationPlan } from "./isolation-plan.ts";

/** Variables that installers and compilers understand; no others, because they may hold secrets. */
const PASSED_ON =
  /^(PIP_|UV_|LC_|LANG|PATH$|TMPDIR$|SSL_CERT_|REQUESTS_CA_BUNDLE$|CC$|CXX$|C(XX)?FLAGS$|LDFLAGS$|CARGO_|SOURCE_DATE_EPOCH$)/;
const PROXIES = /^(https?|all|no)_proxy$/i;
/** Configuration of installers, in the home folder. */
const HOME_CONFIGURATION = [".config/pip", ".pip", ".config/uv", ".netrc"];
const SYSTEM_CONFIGURATION = ["/etc/pip.conf", "/etc/uv"];

interface InstallFolders {
  /** The clean environment: it holds the SDK's wheel. */
  clean: string;
  /** Everything that an install writes: the copies of the environment, and scratch folders. */
  into: string;
  /** The environment, in `into`; read-only for what may only write its scratch folder. */
  venv: string;
}

/**
 * Makes the function that runs an installer under bubblewrap. It sees programs, the package index and its own folders;
 * it keeps no cache, because the builds of apps write to it. Without bubblewrap it returns the command unchanged.
 */
export function confineInstaller(
  { bubblewrap, python }: IsolationPlan,
  { clean, into, venv }: InstallFolders,
): NonNullable<InstallerParts["confine"]> {
  if (bubblewrap === null) return (command) => command;
  return (command, writes) => {
    const { file, args, cwd } = command;
    const env = Object.fromEntries(
      Object.entries(command.env).filter(([name]) => PASSED_ON.test(name) || PROXIES.test(name)),
    );
    const home = command.env.HOME;
    // Under bubblewrap only the programs of the system are there; others are shown one by one.
    const program = isAbsolute(file) ? null : findProgram(file, command.env.PATH ?? "");
    const configuration = [
      ...SYSTEM_CONFIGURATION,
      ...(home === undefined ? [] : HOME_CONFIGURATION.map((name) => join(home, name))),
      ...pathsIn([command.env.PIP_FIND_LINKS, command.env.UV_FIND_LINKS, command.env.PIP_CONFIG_FILE]),
    ];
    const binds = [
      ...configuration.map((path) => ({ outside: path, inside: path, optional: true as const })),
      ...(program === null ? [] : [{ outside: program, inside: program }]),
      { outside: dirname(dirname(python)), inside: dirname(dirname(python)) },
      { outside: clean, inside: clean },
      { outside: into, inside: into, writable: true as const },
      ...(writes === "scratch" ? [{ outside: venv, inside: venv }] : []),
    ];
    // pip keeps no cache where it may not write. No variable tells a build that it is judged.
    const noCache = { ...(file === "uv" ? { UV_NO_CACHE: "1" } : {}), ...(home === undefined ? {} : { HOME: home }) };
    const options = { binds, env: { ...env, ...noCache }, cwd };
    const [bwrap = "", ...rest] = sandboxed(bubblewrap, options, [program ?? file, ...args]);
    return { file: bwrap, args: rest, cwd, env };
  };
}

function findProgram(name: string, path: string): string | null {
  const found = path.split(delimiter).map((folder) => join(folder, name));
  return found.find((file) => existsSync(file)) ?? null;
}

/** Folders and files among the words of variables; addresses of servers are none. */
const pathsIn = (values: readonly (string | undefined)[]): string[] =>
  values.flatMap((value) => value?.split(/\s+/) ?? []).filter((word) => word.startsWith("/"));
