import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type IPty, spawn } from "@lydell/node-pty";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { copyTree } from "../../common/machine/copy-tree.ts";
import { sendSignal } from "../../common/machine/machine.ts";
import { NO_PACKAGE_INDEX } from "../../common/machine/offline.ts";
import { processesOf } from "../../common/machine/process-tree.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { runProgram } from "../program.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";

/** On a machine that runs everything else, too. */
const DEADLINE_MS = 120_000;
/** Names the processes of one test. */
const RUN = "ROBOT_DEV_TEST";

let place = "";
let main = "";
beforeEach(async () => {
  place = temporaryFolder("dév ");
  copyTree(path.resolve("artifacts/certification/apps_venv"), path.join(place, "apps_venv"));
  await runProgram(["create", "my_app", "."], "0", fakeTerminal({ cwd: place, packageFolder: process.cwd() }));
  main = path.join(place, "my_app/my_app/main.py");
});

const processes = () => processesOf({ environment: [RUN, place] });

/** `dev my_app` in a terminal. */
function startDev(...more: string[]) {
  const program = path.resolve("bin/robot-app-assistant.mjs");
  const args = [program, "dev", "my_app", "--port", "0", "--data-dir", place, ...more];
  const env = { ...process.env, ...NO_PACKAGE_INDEX, [RUN]: place, HOME: place, BROWSER: path.join(place, "browser") };
  const terminal: IPty = spawn(process.execPath, args, { cwd: place, env, cols: 200 });
  let output = "";
  terminal.onData((text) => {
    output += text;
  });
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(async () => {
    for (const pid of await processes()) sendSignal(pid, "SIGKILL");
  });
  return {
    pid: terminal.pid,
    press: (key: string) => terminal.write(key),
    ended,
    /** Waits until all texts are there, in any order, after those that were waited for before. */
    says: async (...texts: (string | RegExp)[]) => {
      const find = (text: string | RegExp) => (typeof text === "string" ? output.indexOf(text) : output.search(text));
      const missing = () => texts.filter((text) => find(text) < 0);
      await waitFor(DEADLINE_MS, "the output", () => missing().length === 0).catch(() => {
        throw new Error(`${missing().join(" and ")} not in:\n${output}`);
      });
      output = output.slice(Math.max(...texts.map(find)) + 1);
    },
  };
}

const edit = async (find: string, put: string) =>
  writeFile(
    main,
    (await readFile(main, "utf8")).replace(find, () => put),
  );

test("dev restarts on a save, keeps an app that would not start, obeys keys, and leaves nothing behind", async () => {
  await writeFile(path.join(place, "browser"), `#!/bin/sh\necho "$1" > '${place}/opened'\n`);
  await chmod(path.join(place, "browser"), 0o755);
  const dev = startDev();
  await dev.says("which ends with this command");
  await dev.says("● running");

  await edit("seconds = 0.0", 'print("changed once")\n        seconds = 0.0');
  await dev.says("↻ my_app/main.py", "│ changed once");
  await edit("def run(", "def run((");
  await dev.says("(the app runs on as it was)");
  await edit("def run((", "async def run(");
  await dev.says(/check: PKG-006 my_app\/main.py:\d+/);
  await edit("async def run(", "def run(");
  await dev.says("│ changed once", "check: nothing left to fix");

  dev.press("x");
  // A signal ends a Python that has not reached the app yet: the last save may have restarted it a second time.
  await dev.says(/exited with code 0|ended by SIG/);
  dev.press("r");
  await dev.says("● running");
  dev.press("d");
  const opened = () => readFile(path.join(place, "opened"), "utf8").catch(() => "");
  await waitFor(DEADLINE_MS, "the dashboard is opened", async () => (await opened()).startsWith("file://"));
  expect(await readFile(fileURLToPath((await opened()).trim()), "utf8")).toContain("http://127.0.0.1:");
  dev.press("a");
  await dev.says("› touch the right antenna");
  dev.press("?");
  await dev.says("r restart · a touch an antenna");
  dev.press("\x03");
  expect(await dev.ended).toBe(0);
  expect(await processes()).toEqual([]);
});

test("a killed dev --json leaves nothing behind, and --debug lets a debugger attach", async () => {
  const dev = startDev("--debug", "5678", "--json");
  await dev.says('{"event":"message","data":"✓ daemon at ', '{"event":"slot","data":{"', '{"event":"log","data":{"');
  await dev.says(/a debugger can attach at 127\.0\.0\.1:5678|needs debugpy|no debugger can attach/);
  process.kill(dev.pid, "SIGKILL");
  await waitFor(DEADLINE_MS, "all processes end", async () => (await processes()).length === 0);
});
