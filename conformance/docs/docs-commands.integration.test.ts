import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PageRunner } from "./testing/page-runner.ts";
import { type Fence, fencesOf, PAGES, pageText } from "./testing/pages.ts";

/** The Python environment that `npm test` prepares, with the SDK. */
const VENV = path.resolve("artifacts/certification/apps_venv");

/** Lines that this test does not run, with the reason. `docs.test.ts` checks their options all the same. */
const NOT_RUN: readonly [line: RegExp, reason: string][] = [
  [/^(npm|npx vitest|LLAMA_SERVER)/, "installs or tests this whole project; npm test does that"],
  [
    /^(brew|pip|uv|docker|podman|ollama|vllm|python|llama-server)/,
    "needs the network, a container engine or a model server",
  ],
  [/publish my_app$/, "needs an account of the public hub"],
  [/robot-app-assistant (chat|edit)/, "needs a model server; assistant/commands tests them with recorded answers"],
  [/robot-app-assistant test/, "needs an app with tests; conformance/app-tests tests it"],
  [/robot-app-assistant certify/, "takes minutes; conformance/certify tests it"],
  [/robot-app-assistant (verify|report)/, "needs the verdict of a certification; their own tests have one"],
  [/^(sudo|useradd|chown|systemctl|scp|ssh|cp \/opt|cd |mkdir \/venvs)/, "needs root or a robot"],
  [/robot-daemon (setup-servo|scan)/, "needs servos; daemon/robot-process/hardware/setup tests it on robot-sim"],
  [/^(curl|rsync) .*ROBOT/, "needs a robot on the network"],
  [/webcam/, "needs a webcam; daemon/camera tests pictures that change"],
  [/^npx robot-daemon$/, "needs a physical robot"],
  [
    /^curl .*\/api\/camera\//,
    "needs the daemon of another page; conformance/end-to-end/camera.integration.test.ts reads frames",
  ],
  [/robot-daemon install .* --isolated/, "downloads packages; daemon/apps/install/own tests it without an index"],
  [/^redis-server|robot-app-assistant worker/, "runs until it is stopped; conformance/catalogue tests it"],
  [/flask run/, "needs the network, and runs until it is stopped"],
  [/robot-app-assistant dev/, "runs until it is stopped; assistant/commands/dev.integration.test.ts does that"],
  [/robot-app-assistant ci /, "needs a git repository; assistant/ci tests it"],
  [/apps_venv\/bin\/python hello\.py$/, "needs a daemon on port 8000; sdk/tests/test_api_page.py runs the examples"],
  [/apps_venv\/bin\/python -m pdb/, "waits for a person; sdk/tests/test_debugging.py does that"],
  [/--host 0\.0\.0\.0/, "listens on the network"],
  [/^npx robot-daemon --serialport/, "runs robot-sim until it is stopped; the scenarios do that with --pty"],
  [/^npx robot-sim/, "runs until it is stopped; features/robot-sim.feature does that"],
];

/** Lines that speak to a daemon which the page does not start. */
const NEEDS_DAEMON = /:8000|robot-daemon (?:list|status|start|stop|restart|logs|remove)\b/;

const isRun = (line: string): boolean => !NOT_RUN.some(([pattern]) => pattern.test(line));

/** The lines of a shell block, or the commands of a console block: continued ones joined, without comments. */
const shellLines = ({ language, text }: Fence): string[] =>
  text
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .flatMap((line) => (language !== "console" ? [line] : line.startsWith("$ ") ? [line.slice(2)] : []))
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");

const isShell = ({ language }: Fence): boolean => ["sh", "bash", "console"].includes(language);

/** A block that begins with a comment such as `# ~/tutorial/main.py` is the content of that file. */
function writeFileOf({ text }: Fence, home: string): void {
  const [, file] = /^# (~\/\S+)$/m.exec(text.split("\n")[0] ?? "") ?? [];
  if (file === undefined) return;
  const place = file.replace("~", home);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, `${text.split("\n").slice(1).join("\n")}\n`);
}

const hasRunLines = (page: string): boolean => fencesOf(pageText(page)).filter(isShell).flatMap(shellLines).some(isRun);

describe("the commands work, in their order, of", () => {
  test.concurrent.each(PAGES.filter(hasRunLines))("%s", async (page) => {
    const fences = fencesOf(pageText(page));
    const lines = fences.filter(isShell).flatMap(shellLines).filter(isRun);
    const runner = new PageRunner(VENV);
    try {
      if (lines.some((line) => /\bmy_app\b/.test(line)) && !lines.some((line) => /create my_app/.test(line)))
        await runner.run("npx robot-app-assistant create my_app .");
      if (
        lines.some((line) => NEEDS_DAEMON.test(line)) &&
        !lines.some((line) => line.startsWith("npx robot-daemon --sim"))
      )
        await runner.run("npx robot-daemon --sim");
      for (const fence of fences) {
        if (!isShell(fence)) writeFileOf(fence, runner.home);
        else for (const line of shellLines(fence).filter(isRun)) await runner.run(line);
      }
    } finally {
      await runner.stop();
    }
  });
});

test("every exception still has a command", () => {
  const lines = PAGES.flatMap((page) => fencesOf(pageText(page)).filter(isShell).flatMap(shellLines));
  const unused = NOT_RUN.filter(([pattern]) => !lines.some((line) => pattern.test(line)));
  expect(unused.map(([pattern]) => String(pattern))).toEqual([]);
});
