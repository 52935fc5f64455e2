import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { addDistribution } from "../testing/distribution.ts";
import { useLaunchedApps } from "../testing/launched-apps.ts";

const apps = useLaunchedApps(["obedient"]);

describe("an app that loses the first SIGINT is stopped all the same", () => {
  const LOSES_ONE = `
import signal, sys
heard = []
def handle(number, frame):
    heard.append(number)
    print("heard", len(heard), flush=True)
    if len(heard) == 2:
        sys.exit(0)
signal.signal(signal.SIGINT, handle)
print("running", flush=True)
while True:
    signal.pause()
`;

  test.each([
    ["while it starts", true],
    ["when it had its time to connect, and did not", false],
  ])("%s", async (_, isStarting) => {
    await addDistribution(apps.home.sitePackages, {
      name: "loses_sigint",
      files: { "loses_sigint/main.py": LOSES_ONE },
    });
    const app = await apps.launch("loses_sigint");
    await app.line("running");
    app.stop(isStarting);
    expect(await app.exited).toMatchObject({ code: 0, signal: null, forced: false });
  });

  test("as soon as Python reports that it ignored the interrupt, in whatever state", async () => {
    const main = `
import signal
class Resource:
    def __del__(self):
        print("running", flush=True)
        signal.pause()
Resource()
signal.pause()
`;
    await addDistribution(apps.home.sitePackages, {
      name: "loses_interrupt",
      files: { "loses_interrupt/main.py": main },
    });
    const app = await apps.launch("loses_interrupt", { graceMs: 600_000 });
    await app.line("running");
    app.connected();
    app.stop(false);
    expect(await app.exited).toMatchObject({ signal: "SIGINT", forced: false });
    expect(app.lines.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Exception ignored in: .*__del__/));
  });
});

test("an app that has connected gets one SIGINT", async () => {
  const main = `
import signal, sys, time
signal.signal(signal.SIGINT, lambda *_: print("heard", flush=True))
print("running", flush=True)
signal.pause()
time.sleep(2)
`;
  await addDistribution(apps.home.sitePackages, { name: "cleans_up", files: { "cleans_up/main.py": main } });
  const app = await apps.launch("cleans_up", { graceMs: 30_000 });
  await app.line("running");
  app.connected();
  app.stop(false);
  await app.exited;
  expect(app.lines.filter(({ text }) => text === "heard")).toHaveLength(1);
});

test("SIGINT reaches the app although the daemon was started with SIGINT ignored", async () => {
  const script = `
    import { systemClock } from "./common/time/clock.ts";
    import { createLauncher } from "./daemon/apps/start/app-launcher.ts";
    import { thisAppMachine } from "./daemon/apps/start/spawn-main-process.ts";
    const [venv, root] = process.argv.slice(-2);
    const logs = { add: (line) => line.text === "running" && app.stop(false), addNote: () => {} };
    const run = createLauncher({ venv, workDir: root, runningAppFile: root + "/ignored.json", env: {}, clock: systemClock, graceMs: 60_000, logs, machine: thisAppMachine });
    const app = await run({ info: { name: "obedient", extra: {} }, module: "obedient.main" });
    console.log(JSON.stringify(await app.exited));`;
  const shell = `trap "" INT; exec "$@"`;
  const node = [
    process.execPath,
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    script,
    apps.home.venv,
    apps.home.root,
  ];
  const daemon = spawn("sh", ["-c", shell, "sh", ...node], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  daemon.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(daemon, "close");
  expect(JSON.parse(output)).toMatchObject({ code: 0, signal: null, forced: false });
});
