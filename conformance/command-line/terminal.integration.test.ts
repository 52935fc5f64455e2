import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { loadPty, openTerminal } from "./testing/real-terminal.ts";

const pty = loadPty();
const program = (name: string): string => resolve("bin", `${name}.mjs`);
const ASSISTANT = [process.execPath, program("robot-app-assistant")];
const DAEMON = [process.execPath, program("robot-daemon")];
const CTRL_C = "\x03";
/** Begins every colour, and everything else that only a terminal understands. */
const ESCAPE = "\x1b";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder("terminal-");
});

describe.runIf(pty !== null)("on a real terminal", () => {
  const open = (command: string[], env: Record<string, string | undefined> = {}) => {
    if (pty === null) throw new Error("no pseudo-terminals");
    return openTerminal(pty, command, { cwd: folder, env: { HOME: folder, ...env } });
  };

  test("create asks for what is missing, and Ctrl-C creates nothing", async () => {
    const terminal = open([...ASSISTANT, "create"]);
    await terminal.shows(/Name of the app\?/);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(1);
    expect(terminal.output()).toContain("Nothing was created.");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("colours are for terminals, and only where they are wanted", async () => {
    expect(spawnSync(process.execPath, [program("robot-app-assistant"), "create", "my_app", folder]).status).toBe(0);
    const check = [...ASSISTANT, "check", join(folder, "my_app")];
    const shown = open(check);
    expect(await shown.ended).toBe(0);
    expect(shown.output()).toContain(`${ESCAPE}[32m`);
    const plain = open(check, { NO_COLOR: "1" });
    expect(await plain.ended).toBe(0);
    expect(plain.output()).not.toContain(`${ESCAPE}[3`);
    const [file = "", ...args] = check;
    expect(spawnSync(file, args, { encoding: "utf8" }).stdout).not.toContain(ESCAPE);
  });

  test("the first start shows its progress, and Ctrl-C ends it and leaves no environment", async () => {
    const slow = join(folder, "slow-python");
    writeFileSync(slow, '#!/bin/sh\n[ "$1" = -c ] && exec echo True\nexec sleep 600\n', { mode: 0o755 });
    const data = join(folder, "data");
    const terminal = open([...DAEMON, "--sim", "--port", "0", "--data-dir", data], {
      ROBOT_PYTHON: slow,
      PATH: "/usr/bin:/bin",
    });
    await terminal.shows(/\[K {2}… Python environment for apps \(\d+ s\)/);
    await terminal.shows(/\[K {2}… Python environment for apps \(\d+ s\)/);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    expect(terminal.output()).toContain("interrupted by SIGINT; nothing incomplete is left");
    expect(existsSync(join(data, "apps_venv"))).toBe(false);
  });
});

test.each([
  [DAEMON, ["instal", "x"], /Did you mean install\?/],
  [DAEMON, ["--prot", "1"], /Did you mean --port\?/],
  [ASSISTANT, ["certfy", "."], /Did you mean certify\?/],
])("%j %j is corrected, on the standard error and with the exit code 2", ([file = "", main = ""], args, message) => {
  const { status, stdout, stderr } = spawnSync(file, [main, ...args], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(message);
});

test.each(["robot-daemon", "robot-sim", "robot-app-assistant"])("%s --version names all versions", (name) => {
  const { status, stdout } = spawnSync(process.execPath, [program(name), "--version"], { encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\nrobot-sdk \d\S+\nREST interface \d+\nverdict format \d+\nNode \d+\S+\n$/);
});
