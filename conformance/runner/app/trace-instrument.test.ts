import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { DIALECTS } from "../../../robot/dialects/dialects.ts";
import { instrumentVariables, readTraceMarkers, writeInstrument } from "./trace-instrument.ts";

/** An app that connects by itself, and whose run calls that of its own base class. */
const APP = `
class Common(Base):
    def run(self, robot, stop_event):
        print("common")

class App(Common):
    def wrapped_run(self):
        self.run(None, None)

    def run(self, robot, stop_event):
        super().run(robot, stop_event)
        if FAILS:
            raise ValueError("as it does")

App().wrapped_run()
`;

test.each(DIALECTS.flatMap(({ id, sdk }) => [false, true].map((fails) => [id, fails, sdk] as const)))(
  "the run of an app of the dialect %s is traced, whatever the app makes of wrapped_run (fails: %s)",
  async (_, fails, sdk) => {
    const folder = temporaryFolder("instrument-");
    const instrument = path.join(folder, "instrument");
    await mkdir(instrument);
    writeInstrument(instrument);
    const module = path.join(folder, "sdk", ...sdk.appModule.split("."));
    await mkdir(path.dirname(module), { recursive: true });
    await writeFile(
      `${module}.py`,
      `class ${sdk.appClass}:\n    def wrapped_run(self):\n        raise SystemExit(1)\n`,
    );
    const main = `from ${sdk.appModule} import ${sdk.appClass} as Base\nFAILS = ${fails ? "True" : "False"}\n${APP}`;
    await writeFile(path.join(folder, "sdk/main.py"), main);
    const trace = path.join(folder, "trace");
    const env = { PATH: process.env.PATH, ...instrumentVariables(instrument, trace, "word") };
    await promisify(execFile)(path.resolve(".venv/bin/python"), [path.join(folder, "sdk/main.py")], { env }).catch(
      (error) => {
        if (!fails) throw error;
      },
    );
    const markers = await readTraceMarkers(trace, "word");
    expect(markers.map(({ what, raised }) => `${what} ${raised ?? ""}`.trim())).toEqual([
      "importing",
      "entered",
      fails ? "raised ValueError" : "returned",
    ]);
  },
);

/** An app that gets the signal while it starts a process, and once more after that. */
const STARTS_PROCESS = `
import multiprocessing, os, signal, subprocess
from sdk.app import Base

def send_signal():
    os.kill(os.getpid(), signal.SIGUSR1)

class SignalledPopen(subprocess.Popen):
    def _execute_child(self, *args, **options):
        send_signal()
        super()._execute_child(*args, **options)

class SignalledProcess(multiprocessing.get_context("fork").Process):
    @staticmethod
    def _Popen(process):
        send_signal()
        return multiprocessing.get_context("fork").Process._Popen(process)

class App(Base):
    def run(self, robot, stop_event):
        process = SignalledPopen(["true"])
        print("status", process.wait(), flush=True)
        helper = SignalledProcess(target=print)
        helper.start()
        helper.join()
        send_signal()

App().run(None, None)
`;

test("no error is raised while the app starts a process, which nobody would end then", async () => {
  const folder = temporaryFolder("instrument-");
  writeInstrument(folder);
  const [{ sdk }] = DIALECTS;
  const module = path.join(folder, ...sdk.appModule.split("."));
  await mkdir(path.dirname(module), { recursive: true });
  await writeFile(`${module}.py`, `class ${sdk.appClass}:\n    pass\n`);
  const main = STARTS_PROCESS.replace("sdk.app import Base", `${sdk.appModule} import ${sdk.appClass} as Base`);
  await writeFile(path.join(folder, "main.py"), main);
  const trace = path.join(folder, "trace");
  const env = { PATH: process.env.PATH, ...instrumentVariables(folder, trace, "word") };
  const python = promisify(execFile)(path.resolve(".venv/bin/python"), [path.join(folder, "main.py")], { env });
  const { stdout } = await python.catch((error) => error);
  const markers = await readTraceMarkers(trace, "word");
  expect([stdout, ...markers.map(({ what }) => what)]).toEqual([
    "status 0\n\n",
    "importing",
    "entered",
    "postponed",
    "postponed",
    "injected",
    "raised",
  ]);
});
