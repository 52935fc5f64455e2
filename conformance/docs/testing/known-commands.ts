import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { assistantProgram } from "../../../assistant/program.ts";
import { fakeTerminal } from "../../../assistant/testing/fake-terminal.ts";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { daemonProgram } from "../../../daemon/command-line/options.ts";
import { hubCommand } from "../../../fixtures/hub/server/command.ts";
import { simProgram } from "../../../sim/options.ts";
import { testCommand } from "../../app-tests/command.ts";
import { certificationWorkerCommand } from "../../catalogue/command/worker-command.ts";
import { certifyCommand } from "../../certify/command.ts";
import { reportCommand } from "../../report/command.ts";
import { verifyCommand } from "../../verdict/verify-command.ts";
import { pageText } from "./pages.ts";

/** Programs of others that the pages name: their command lines cannot be checked here. */
const EXTERNAL: Readonly<Record<string, string>> = {
  flask: "runs proxpi, a package index that caches",
  aplay: "lists sound devices of the machine",
  apt: "installs system packages",
  brew: "installs packages from the network",
  cd: "changes the folder",
  chown: "needs root on the robot",
  cp: "copies files",
  cut: "part of the digest of a folder, which a test computes",
  curl: "needs a running daemon or the network",
  docker: "needs Docker and a model of some gigabytes",
  ffmpeg: "needs a webcam",
  find: "part of the digest of a folder, which a test computes",
  fuser: "needs a serial port in use",
  git: "needs a repository on the network",
  "llama-server": "needs llama.cpp and a model",
  lsusb: "needs a robot on a USB port",
  mkdir: "makes a folder",
  node: "runs a script",
  ollama: "needs Ollama and a model",
  openssl: "makes keys",
  podman: "needs a container engine",
  pip: "installs packages from the network",
  rsync: "needs a robot on the network",
  python: "runs a script in the author's environment",
  "redis-server": "needs Redis or Valkey",
  scp: "needs a robot on the network",
  sha256sum: "part of the digest of a folder, which a test computes",
  sort: "part of the digest of a folder, which a test computes",
  ssh: "needs a robot on the network",
  systemctl: "needs root on the robot",
  tr: "part of the digest of a folder, which a test computes",
  udevadm: "needs root and a robot",
  useradd: "needs root on the robot",
  usermod: "needs root",
  uv: "installs packages from the network",
  vitest: "runs tests of this project",
  vllm: "needs vLLM, a graphics processor and a model",
  xargs: "part of the digest of a folder, which a test computes",
};

/** An argument that names a file or folder of this package. */
const PACKAGE_FILE = /^(bin|robot|sim|daemon|assistant|conformance|fixtures|features|lab|scripts|sdk|deploy)\//;

const ignore = (): void => undefined;

/** The programs of this package with all of their commands, of which none runs. */
export const PROGRAMS: Readonly<Record<string, () => Promise<Command>>> = {
  "robot-daemon": async () => daemonProgram({ HOME: "/home/ada" }, "1.2.3", ignore, ignore),
  "robot-sim": async () => simProgram("1.2.3", { writeOut: ignore, writeErr: ignore }),
  "robot-app-assistant": async () =>
    assistantProgram(undefined, "1.2.3", fakeTerminal(), {
      test: async () => (terminal) => testCommand(terminal),
      certify: async () => (terminal) => certifyCommand(terminal, "1.2.3"),
      worker: async () => (terminal) => certificationWorkerCommand(terminal, "1.2.3"),
      report: async () => reportCommand,
      verify: async () => (terminal) => verifyCommand(terminal, "1.2.3"),
      hub: async () => hubCommand,
    }),
};

/**
 * Why a command of a page would be refused; undefined when it fits the program that it names. Programs of this package
 * are checked against their real command lines, npm scripts against package.json.
 */
export async function commandProblem([program = "", ...args]: readonly string[]): Promise<string | undefined> {
  const missing = args.find((word) => PACKAGE_FILE.test(word) && !existsSync(path.join(PACKAGE_FOLDER, word)));
  if (missing !== undefined) return `${missing} does not exist`;
  const name = path.basename(program).replace(/\.mjs$/, "");
  if (name === "npm") return npmProblem(args);
  if (name === "node") return args[0]?.startsWith("bin/") ? commandProblem(args) : undefined;
  const create = PROGRAMS[name];
  if (create !== undefined) return parseProblem(await create(), args);
  return name in EXTERNAL ? undefined : `${program} is not a known program; add it to EXTERNAL with the reason`;
}

async function npmProblem([verb = "", ...rest]: readonly string[]): Promise<string | undefined> {
  if (["ci", "install", "pack", "publish"].includes(verb)) return undefined;
  const { scripts } = JSON.parse(pageText("package.json")) as { scripts: Record<string, string> };
  const script = verb === "run" ? (rest[0] ?? "") : verb;
  if (!(script in scripts)) return `package.json has no script ${script}`;
  const options = rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : [];
  return script === "start" ? commandProblem(["robot-daemon", "--sim", ...options]) : undefined;
}

/** Parses the arguments without running anything. */
async function parseProblem(program: Command, args: readonly string[]): Promise<string | undefined> {
  let message = "";
  const prepare = (command: Command): void => {
    command.exitOverride().action(ignore).allowExcessArguments(false);
    command.configureOutput({ writeErr: (text) => (message += text), writeOut: ignore });
    for (const each of command.commands) prepare(each);
  };
  prepare(program);
  try {
    await program.parseAsync([...args], { from: "user" });
    return undefined;
  } catch (error) {
    const isText =
      error instanceof Error &&
      "code" in error &&
      ["commander.helpDisplayed", "commander.version"].includes(String(error.code));
    return isText ? undefined : message.trim() || String(error);
  }
}
