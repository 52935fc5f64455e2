import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa, type ResultPromise } from "execa";
import { abortOnExit } from "../../../common/machine/abort-on-exit.ts";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import { NO_PACKAGE_INDEX } from "../../../common/machine/offline.ts";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { freePort } from "../../runner/ports.ts";

const READY_MS = 90_000;
const COMMAND_MS = 120_000;

/** A program that runs until it is stopped. */
interface Background {
  /** Matches its command line. */
  readonly command: RegExp;
  /** The port that the pages name for it. */
  readonly documentedPort: number;
  /** Matches its output when it is ready. */
  readonly ready: RegExp;
}

const BACKGROUND: readonly Background[] = [
  { command: /^npx robot-daemon --sim/, documentedPort: 8000, ready: /http:\/\/127\.0\.0\.1:\d+/ },
  { command: /^npx robot-app-assistant hub/, documentedPort: 8003, ready: /Tokens/ },
];

/**
 * Runs shell lines of a page as they stand, in a folder of their own with an empty home. Only the ports that the pages
 * name are replaced by free ones, and programs that run until they are stopped get `--port` and stay in the background.
 */
export class PageRunner {
  readonly home: string;
  readonly #ports = new Map<number, number>();
  readonly #running: ResultPromise[] = [];
  readonly #stopping = new AbortController();

  /** Makes a folder, which `stop` removes. @param venv environment with the SDK, which is copied */
  constructor(venv: string) {
    const folder = mkdtempSync(path.join(tmpdir(), "robot-docs-"));
    this.home = folder;
    const dataDir = path.join(folder, ".local/share/robot-daemon");
    mkdirSync(dataDir, { recursive: true });
    copyTree(venv, path.join(dataDir, "apps_venv"));
    mkdirSync(path.join(folder, "bin"));
    const npx = `#!/bin/sh\nprogram=$1\nshift\nexec "${process.execPath}" "${PACKAGE_FOLDER}/bin/$program.mjs" "$@"\n`;
    writeFileSync(path.join(folder, "bin/npx"), npx, { mode: 0o755 });
    symlinkSync(path.join(PACKAGE_FOLDER, ".venv/bin/uv"), path.join(folder, "bin/uv"));
    symlinkSync(path.join(PACKAGE_FOLDER, "fixtures"), path.join(folder, "fixtures"));
  }

  /** Runs a line to its end, or until a background program is ready. @throws Error with its output when it fails */
  async run(line: string): Promise<string> {
    const background = BACKGROUND.find(({ command }) => command.test(line));
    if (background === undefined) return (await this.#start(await this.#withPorts(line), COMMAND_MS)).all;
    const port = await this.#portFor(background.documentedPort);
    const child = this.#start(`exec ${await this.#withPorts(line)} --port ${port}`);
    child.catch(() => undefined);
    this.#running.push(child);
    let output = "";
    child.all.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    const ended = abortOnExit(child, line, () => output);
    await waitFor(READY_MS, `${line} is ready`, () => background.ready.test(output), ended);
    return output;
  }

  async stop(): Promise<void> {
    for (const child of this.#running) child.kill("SIGINT");
    await Promise.allSettled(this.#running);
    this.#stopping.abort();
    rmSync(this.home, { recursive: true, force: true });
  }

  #start(line: string, timeout?: number) {
    return execa("sh", ["-e", "-c", line], {
      cwd: this.home,
      all: true,
      stdin: "ignore",
      ...(timeout === undefined ? {} : { timeout }),
      cancelSignal: this.#stopping.signal,
      extendEnv: false,
      env: {
        ...NO_PACKAGE_INDEX,
        HOME: this.home,
        PATH: `${this.home}/bin:${process.env.PATH}`,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_NAME: "Ada",
        GIT_AUTHOR_EMAIL: "ada@example.org",
        GIT_COMMITTER_NAME: "Ada",
        GIT_COMMITTER_EMAIL: "ada@example.org",
      },
    });
  }

  async #withPorts(line: string): Promise<string> {
    let replaced = line;
    for (const { documentedPort } of BACKGROUND)
      replaced = replaced.replaceAll(`127.0.0.1:${documentedPort}`, `127.0.0.1:${await this.#portFor(documentedPort)}`);
    return replaced;
  }

  async #portFor(documented: number): Promise<number> {
    const port = this.#ports.get(documented) ?? (await freePort());
    this.#ports.set(documented, port);
    return port;
  }
}
