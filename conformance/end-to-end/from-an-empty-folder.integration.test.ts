import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyTree } from "../../common/machine/copy-tree.ts";
import { sendSignal } from "../../common/machine/machine.ts";
import { NO_PACKAGE_INDEX } from "../../common/machine/offline.ts";
import { processesOf } from "../../common/machine/process-tree.ts";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { accessibilityViolations } from "../../daemon/http/testing/accessibility.ts";
import { browserPath, openBrowser } from "../../daemon/http/testing/browser.ts";
import { type ReplayServer, startReplayServer } from "../../edit/testing/replay/server.ts";
import type { SimulatedTime } from "../../robot/wire/scene/simulated-time.ts";
import type { CertificationState } from "../../robot/wire/workshop/certification.ts";

const why = browserPath ? "" : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";
/** Names the processes of this test. */
const RUN = "ROBOT_EMPTY_FOLDER_TEST";
const MAIN = "my_app/main.py";
const ASKED = "Let the antennas sway twice as far.";

/** Everything an author does without a robot, one after the other. */
describe.skipIf(browserPath === undefined)(`from an empty folder to a certified app, in a real browser${why}`, () => {
  const place = sharedTemporaryFolder("from-empty ");
  const env = {
    ...process.env,
    ...NO_PACKAGE_INDEX,
    [RUN]: place,
    HOME: place,
    XDG_DATA_HOME: join(place, "data"),
    XDG_STATE_HOME: join(place, "state"),
  };
  let browser: Browser;
  let model: ReplayServer;
  let page: Page;
  let url = "";
  let output = "";
  const terminals: IPty[] = [];

  beforeAll(async () => {
    // The Python environments that the tests prepare; a person waits for them once.
    const cached = join(place, "data/robot-daemon/certification");
    mkdirSync(cached, { recursive: true });
    symlinkSync(resolve("artifacts/certification/apps_venv"), join(cached, "apps_venv"));
    copyTree(resolve("artifacts/certification/apps_venv"), join(place, "data/robot-daemon/apps_venv"));
    model = await startReplayServer({ answerTo: async () => editOf(kept()) });
    browser = await openBrowser(browserPath ?? "");
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(120_000);
  });
  afterAll(async () => {
    for (const pid of await processesOf({ environment: [RUN, place] })) sendSignal(pid, "SIGKILL");
    await browser?.close();
    await model?.close();
  });

  const type = (...args: string[]): IPty => {
    const more = { ROBOT_MODEL_URL: model.url, ROBOT_MODEL_FORMAT: "wf" };
    const program = resolve("bin/robot-app-assistant.mjs");
    const terminal = spawn(process.execPath, [program, ...args], { cwd: place, env: { ...env, ...more }, cols: 200 });
    terminal.onData((text) => {
      output += text;
    });
    terminals.push(terminal);
    return terminal;
  };
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const text = () => page.getByRole("textbox", { name: `Text of ${MAIN}` });
  const shown = (part: string) =>
    waitFor(120_000, part, async () => (await text().textContent())?.includes(part) === true);
  const kept = () => readFileSync(join(place, "my_app", MAIN), "utf8");
  const json = async <T>(path: string): Promise<T> => (await fetch(`${url}${path}`)).json() as Promise<T>;
  /** Tries what the editor shows, and waits until the page says that it runs; so many tries can be compared then. */
  const tryIt = async (tries: number) => {
    await page.keyboard.press("Control+Enter");
    await button("Starting…").waitFor({ state: "detached" });
    await page.getByText("A try of my_app runs").waitFor();
    // A second of motion, and a try that can be compared.
    const seconds = async () => (await json<SimulatedTime>("/api/simulation/time")).time;
    await page.getByTitle(`recorded: ${tries}`).waitFor();
    const began = await seconds();
    await waitFor(120_000, "a second of motion", async () => (await seconds()) > began + 1);
  };
  const verdict = () => page.getByRole("region", { name: "Verdict" });
  /** Waits for a verdict away from the page, which need not stay open: drawn without a graphics card, it takes the processors. */
  const judgedBy = async (tier: string, ms: number) => {
    const address = page.url();
    await page.goto("about:blank");
    await waitFor(ms, "the verdict", async () => {
      return (await json<CertificationState>("/api/workshop/certification")).verdict?.tier === tier;
    });
    await page.goto(address);
  };

  test("an app is created, and dev shows the link to its editor", async () => {
    const create = type("create", "my_app", ".");
    const ended = new Promise<number>((resolve) => create.onExit(({ exitCode }) => resolve(exitCode)));
    await waitFor(120_000, "the question", () => output.includes("Which template?"));
    create.write("\r");
    expect(await ended).toBe(0);
    type("dev", "my_app", "--port", "0");
    const link = /(http:\/\/127\.0\.0\.1:\d+)\/#workshop=[\w-]+/;
    await waitFor(120_000, "the link", () => link.test(output));
    const [opened = "", address = ""] = link.exec(output) ?? [];
    url = address;
    await page.goto(opened);
    await page.getByRole("button", { name: "Edit my_app" }).first().click();
    await shown("class MyApp");
  });

  test("the model's edit is shown as a difference, accepted, and seen to move the robot", async () => {
    await page.getByRole("textbox", { name: `What to change in ${MAIN}` }).fill(ASKED);
    await page.keyboard.press("Enter");
    await button("Keep this").first().waitFor();
    expect(kept()).toContain("[0.5 * swing, 0.5 * swing]");
    await button("Accept all").click();
    await text().focus();
    await tryIt(1);
    await shown("[1.0 * swing, 1.0 * swing]");
  });

  test("another try is compared with it, and what is kept is judged by the short tier", async () => {
    await page.keyboard.press("Control+f");
    await page.keyboard.type("yaw=25");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.type("yaw=20");
    await tryIt(2);
    await button("Compare").click();
    const dialog = page.getByRole("dialog", { name: "Compare two tries" });
    await dialog.getByRole("combobox").nth(1).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await text().focus();
    await page.keyboard.press("Control+s");
    await waitFor(120_000, "the file", () => kept().includes("yaw=20"));
    await judgedBy("short", 500_000);
    await verdict().getByText("Conformant", { exact: true }).waitFor();
    expect((await json<CertificationState>("/api/workshop/certification")).verdict).toMatchObject({ tier: "short" });
  });

  test("what was kept is undone, and the app as it was is certified", async () => {
    await button("Undo").click();
    await waitFor(120_000, "the file as it was", () => kept().includes("yaw=25"));
    await button("Certify").click();
    await verdict()
      .getByText(/^Certification: /)
      .waitFor();
    await judgedBy("whole", 700_000);
    await verdict().getByText("in all requirements").waitFor();
    expect(await accessibilityViolations(page, "certified")).toEqual([]);
    const { verdict: judged } = await json<CertificationState>("/api/workshop/certification");
    expect(judged).toMatchObject({ verdict: "conformant", tier: "whole", problems: [] });
  });

  test("Ctrl-C ends dev, and leaves no process", async () => {
    terminals.at(-1)?.write("\x03");
    await waitFor(60_000, "no process", async () => (await processesOf({ environment: [RUN, place] })).length === 0);
  });
});

/** What a model answers that does as it is asked. */
const editOf = (code: string): string =>
  `\`\`\`python\n${code.replace("[0.5 * swing, 0.5 * swing]", "[1.0 * swing, 1.0 * swing]")}\`\`\`<|next_end|>\nTwice as far.<|im_end|>`;
