import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spawn as spawnTerminal } from "@lydell/node-pty";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ProcessTable } from "../../../common/machine/process-table.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { sharedTemporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { AppPython } from "./app-python.ts";
import { sandboxed } from "./bubblewrap-options.ts";
import { INSIDE, type IsolationPlan } from "./isolation-plan.ts";
import { probeIsolation } from "./probe-isolation.ts";

const folder = sharedTemporaryFolder("robot-isolation-");
const venv = join(folder, "environment");
let probed: IsolationPlan;
beforeAll(async () => {
  const made = spawnSync("python3", ["-m", "venv", "--without-pip", venv], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
  probed = await probeIsolation({ venv, allowNetwork: false, host });
});

let count = 0;
async function appPython(isolation: IsolationPlan, token: string | null = null) {
  count += 1;
  const own = join(folder, `app-${count}`);
  const folders = {
    temporary: join(own, "tmp"),
    home: join(own, "home"),
    work: join(own, "work"),
    elsewhere: join(own, "elsewhere"),
    sharedMemory: join(own, "shm"),
  };
  for (const each of Object.values(folders)) await mkdir(each, { recursive: true });
  const python = new AppPython({ folder: join(own, "python"), venv, folders, isolation, env: process.env });
  python.configure({ daemonUrl: "http://127.0.0.1:4", token, instrumented: false });
  const run = (script: string) => {
    const { status, signal, stdout, stderr } = spawnSync(python.python, ["-c", script], {
      cwd: folders.work,
      encoding: "utf8",
      timeout: DEADLINE_MS,
      // SIGTERM does not end a stopped process.
      killSignal: "SIGKILL",
    });
    return { status, signal, stdout, stderr };
  };
  return { python, folders, run };
}

test("the probe gives a reason exactly where there is no bubblewrap", () => {
  expect(probed.reason === null).toBe(probed.bubblewrap !== null);
});

test("the app has the token that it is given, and not that of the daemon's environment", async () => {
  process.env.ROBOT_DAEMON_TOKEN = "of-the-daemon";
  onTestFinished(() => void delete process.env.ROBOT_DAEMON_TOKEN);
  const script = 'import os; print(os.environ.get("ROBOT_DAEMON_TOKEN"))';
  for (const isolation of [probed, { ...probed, bubblewrap: null }])
    for (const token of [null, "given"]) {
      const { run } = await appPython(isolation, token);
      expect(run(script).stdout.trim()).toBe(token ?? "None");
    }
});

test("what Python runs at its start in the environment runs under bubblewrap, too, and plainly", async () => {
  const packages = (await readdir(join(venv, "lib"))).map((name) => join(venv, "lib", name, "site-packages"))[0] ?? "";
  const files = ["robot_sdk_startup.pth", "robot_sdk_startup.py"];
  for (const name of files) await copyFile(join("sdk/src", name), join(packages, name));
  onTestFinished(() => Promise.all(files.map((name) => rm(join(packages, name)))).then(() => {}));
  for (const isolation of [probed, { ...probed, bubblewrap: null }])
    for (const instrumented of [false, true]) {
      const { python, run } = await appPython(isolation);
      python.configure({ daemonUrl: "http://127.0.0.1:4", token: null, instrumented });
      expect(run('import sys; print("robot_sdk_startup" in sys.modules)').stdout.trim()).toBe("True");
    }
});

test("it has what is installed into the environment after it was made", async () => {
  const { python } = await appPython(probed);
  const installed = ["bin/installed-later", "share-installed-later"];
  for (const name of installed) await writeFile(join(venv, name), "");
  onTestFinished(() => Promise.all(installed.map((name) => rm(join(venv, name)))).then(() => {}));
  python.configure({ daemonUrl: "http://127.0.0.1:4", token: null, instrumented: false });
  for (const name of installed) expect(existsSync(join(python.venv, name))).toBe(true);
  expect(await readFile(join(python.venv, "bin/python"), "utf8")).toContain("#!");
});

test("it gets new settings while a process still executes it", async () => {
  const { python, run } = await appPython({ ...probed, bubblewrap: null });
  await copyFile("/bin/sleep", python.python);
  const sleeping = spawn(python.python, ["100"]);
  onTestFinished(() => void sleeping.kill("SIGKILL"));
  await once(sleeping, "spawn");
  python.configure({ daemonUrl: "http://127.0.0.1:5", token: null, instrumented: false });
  expect(run('import os; print(os.environ["ROBOT_DAEMON_URL"])').stdout).toBe("http://127.0.0.1:5\n");
});

test("without bubblewrap the app is the process that was started, with the address that it is given", async () => {
  const { python, folders } = await appPython({ ...probed, bubblewrap: null });
  const script = 'import os; print(os.getpid(), os.environ["ROBOT_DAEMON_URL"])';
  const { pid, stdout } = spawnSync(python.python, ["-c", script], { cwd: folders.work, encoding: "utf8" });
  expect(stdout.trim()).toBe(`${pid} http://127.0.0.1:4`);
  expect(python.mainProcess(pid)).toBe(pid);
});

describe.runIf(spawnSync("bwrap", ["--version"]).status === 0)("under bubblewrap, where it works", () => {
  test("an app sees its own processes and files, and none of the machine's", async ({ skip }) => {
    if (probed.bubblewrap === null) return skip(probed.reason ?? "");
    await writeFile(join(folder, "secret"), "key");
    process.env.SECRET_OF_THE_MACHINE = "1";
    onTestFinished(() => void delete process.env.SECRET_OF_THE_MACHINE);
    const { run, folders } = await appPython(probed);
    const { status, stdout, stderr } = run(`
import os
print(sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
print(os.path.exists(${JSON.stringify(join(folder, "secret"))}), os.path.exists(${JSON.stringify(join(process.cwd(), "package.json"))}), "SECRET_OF_THE_MACHINE" in os.environ)
for path in ("/new", "/usr/new", os.__file__, "/etc/new", os.path.dirname(os.__file__) + "/new"):
    try:
        open(path, "a")
        print("written", path)
    except OSError:
        pass
for path in ("here", "/tmp/here", os.path.expanduser("~/here")):
    open(path, "w").write("x")
print(os.getcwd())
`);
    expect([stderr, status]).toEqual(["", 0]);
    expect(stdout.trim().split("\n")).toEqual(["[1, 2]", "False False False", "/var/lib/robot-daemon/work"]);
    for (const each of [folders.work, folders.temporary, folders.home])
      expect(await readFile(join(each, "here"), "utf8")).toBe("x");
  });

  test.for([
    ["import sys; sys.exit(7)", 7, null],
    ["import os, signal; os.kill(os.getpid(), signal.SIGKILL)", null, "SIGKILL"],
    ["import os, signal; os.kill(os.getpid(), signal.SIGTERM)", null, "SIGTERM"],
    // 128 and the number of a signal that stops or is ignored, or no signal at all.
    ["import sys; sys.exit(147)", 147, null],
    ["import sys; sys.exit(148)", 148, null],
    ["import sys; sys.exit(145)", 145, null],
    ["import sys; sys.exit(128)", 128, null],
    ["import sys; sys.exit(160)", 160, null],
    ["import sys; sys.exit(200)", 200, null],
    ["import sys; sys.exit(255)", 255, null],
  ] as const)("%s ends as it does without", async ([script, status, signal], { skip }) => {
    if (probed.bubblewrap === null) return skip(probed.reason ?? "");
    const { run } = await appPython(probed);
    expect(run(script)).toMatchObject({ status, signal });
  });

  test("a signal reaches the app's main process, and the process that it leaves behind is found", async ({ skip }) => {
    if (probed.bubblewrap === null) return skip(probed.reason ?? "");
    const { python, folders } = await appPython(probed);
    const script = `
import os, signal, sys, time
if os.fork() == 0:
    time.sleep(60)
signal.signal(signal.SIGINT, lambda *_: sys.exit(5))
print("ready", flush=True)
time.sleep(60)
`;
    const child = spawn(python.python, ["-c", script], { cwd: folders.work, detached: true });
    const exit = once(child, "exit");
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const main = await waitFor(DEADLINE_MS, "the record", () => python.mainProcess(child.pid ?? 0));
    const init = ProcessTable.readSync().get(main)?.parent ?? 0;
    expect(python.wrappers()).toContain(init);
    expect(python.knownProcess(2)).toBe(child.pid);
    child.kill("SIGINT");
    expect(await exit).toEqual([5, null]);
    const left = ProcessTable.readSync().childrenOf(init);
    expect(left.length).toBe(1);
    process.kill(init, "SIGKILL");
    await waitFor(DEADLINE_MS, "nothing is left", () => !ProcessTable.readSync().get(left[0]?.pid ?? 0));
  });
});

test("what runs once under bubblewrap has no terminal to type into, also where a person runs the harness in one", async ({
  skip,
}) => {
  const { bubblewrap } = probed;
  if (bubblewrap === null) return skip("needs bubblewrap");
  const script = "import os; print('opened' if os.open('/dev/tty', os.O_RDWR) else '')";
  const options = { binds: [{ outside: venv, inside: venv }], env: {}, cwd: "/" };
  const [file = "", ...args] = sandboxed(bubblewrap, options, [join(venv, "bin/python"), "-c", script]);
  const terminal = spawnTerminal(file, args, { env: process.env });
  let output = "";
  terminal.onData((text) => {
    output += text;
  });
  await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  expect(output).toContain("No such device or address: '/dev/tty'");
});

test("the app has a home of its own, also plainly, and no variable leads to that of the person who certifies it", async () => {
  const { HOME } = process.env;
  const author = join(folder, "author");
  process.env.HOME = author;
  process.env.XDG_CONFIG_HOME = join(author, "config");
  process.env.SOME_CACHE = `/tmp:${join(author, "cache")}`;
  process.env["BASH_FUNC_load%%"] = `() { PATH=$PATH:${join(author, "bin")} }`;
  onTestFinished(() => {
    process.env.HOME = HOME;
    for (const name of ["XDG_CONFIG_HOME", "SOME_CACHE", "BASH_FUNC_load%%"]) delete process.env[name];
  });
  const script = `import os, pathlib
print(pathlib.Path.home(), [name for name, text in os.environ.items() if ${JSON.stringify(author)} in text and name != "PATH"])
pathlib.Path("~/.gitconfig").expanduser().write_text("")`;
  for (const isolation of [probed, { ...probed, bubblewrap: null }]) {
    const { folders, run } = await appPython(isolation);
    const home = isolation.bubblewrap === null ? folders.home : INSIDE.home;
    expect(run(script).stdout.trim()).toBe(`${home} []`);
    expect(await readdir(folders.home)).toEqual([".gitconfig"]);
  }
});

test("a variable that the app is given is kept, also one that leads into the home of the person who certifies it", async () => {
  const key = join(process.env.HOME ?? "", "key.json");
  process.env.SOME_KEY = key;
  onTestFinished(() => void delete process.env.SOME_KEY);
  for (const bubblewrap of [probed.bubblewrap, null]) {
    const { run } = await appPython({ ...probed, bubblewrap, secrets: ["SOME_KEY"] });
    expect(run('import os; print(os.environ["SOME_KEY"])').stdout.trim()).toBe(key);
  }
});
