import { beforeEach, expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { type FakeDaemon, startFakeDaemon } from "../dev/testing/fake-daemon.ts";
import { runProgram } from "../program.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";

const START = "POST /api/apps/start-app/my_app";
const STOP = "POST /api/apps/stop-current-app";
const CANCEL = "POST /api/apps/job-cancel/1";

let place = "";
beforeEach(async () => {
  place = temporaryFolder("dev-command-");
  await runProgram(["create", "my_app", "."], "0", fakeTerminal({ cwd: place, packageFolder: process.cwd() }));
});

/** `dev my_app` with a daemon that runs already. */
function startDev({ url }: FakeDaemon) {
  const interrupt = new AbortController();
  let pressed: (key: string) => void = () => {};
  const keys = (onKey: (key: string) => void) => {
    pressed = onKey;
    return () => {};
  };
  const terminal = fakeTerminal({ cwd: place, packageFolder: process.cwd(), signal: interrupt.signal, keys });
  const ended = runProgram(["dev", "my_app", "--url", url], "0", terminal).then(() => terminal.written);
  onTestFinished(async () => {
    interrupt.abort();
    await ended;
  });
  const says = (text: string) => waitFor(DEADLINE_MS, text, () => terminal.written.out.includes(text));
  return { terminal, interrupt: () => interrupt.abort(), press: (key: string) => pressed(key), says, ended };
}

test("the app of the session is stopped at the end", async () => {
  const daemon = await startFakeDaemon();
  const dev = startDev(daemon);
  await dev.says("q quit");
  dev.press("q");
  expect(await dev.ended).toMatchObject({ code: 0, err: "" });
  expect(daemon.posted).toEqual(["POST /api/apps/install", START, STOP]);
});

test("a restart starts the app that ended just before it", async () => {
  const daemon = await startFakeDaemon();
  const dev = startDev(daemon);
  await dev.says("q quit");
  dev.press("r");
  await waitFor(DEADLINE_MS, "the second start", () => daemon.posted.filter((post) => post === START).length === 2);
  dev.press("q");
  expect(await dev.ended).toMatchObject({ code: 0, err: "" });
});

test("a restart that a key has begun is over before the app is stopped", async () => {
  const daemon = await startFakeDaemon();
  const dev = startDev(daemon);
  await dev.says("q quit");
  daemon.slot = null;
  dev.press("r");
  dev.press("q");
  expect(await dev.ended).toMatchObject({ code: 0, err: "" });
  expect(daemon.posted.slice(-2)).toEqual([START, STOP]);
});

test("another app that took the slot during the session keeps running", async () => {
  const daemon = await startFakeDaemon();
  const dev = startDev(daemon);
  await dev.says("q quit");
  daemon.slot = { name: "other_app", state: "running" };
  dev.press("q");
  await dev.ended;
  expect(daemon.slot).toEqual({ name: "other_app", state: "running" });
  expect(daemon.posted).not.toContain(STOP);
});

test("another app keeps running when the install fails", async () => {
  const daemon = await startFakeDaemon({ slot: { name: "other_app", state: "running" }, job: "failed" });
  expect(await startDev(daemon).ended).toMatchObject({ code: 1, err: expect.stringContaining("failed") });
  expect(daemon.posted).toEqual(["POST /api/apps/install"]);
});

test("the same app is stopped first: a daemon does not install an app that runs", async () => {
  const daemon = await startFakeDaemon({ slot: { name: "my_app", state: "running" } });
  const dev = startDev(daemon);
  await dev.says("q quit");
  expect(daemon.posted).toEqual([STOP, "POST /api/apps/install", START]);
});

test("a session that ends with an error follows the daemon no further", async () => {
  const daemon = await startFakeDaemon();
  daemon.refusesStart = true;
  const { ended, terminal } = startDev(daemon);
  expect(await ended).toMatchObject({ code: 1, err: expect.stringContaining(START.replace("POST ", "")) });
  await waitFor(DEADLINE_MS, "the stream of events ends", () => daemon.streams.size === 0);
  expect(terminal.written.out).not.toContain("reconnecting");
});

test.each([
  ["Ctrl-C", (dev: ReturnType<typeof startDev>) => dev.interrupt()],
  ["q", (dev: ReturnType<typeof startDev>) => dev.press("q")],
])("%s during the install cancels it and starts nothing", async (_, quit) => {
  const daemon = await startFakeDaemon({ slot: { name: "other_app", state: "running" }, job: "in_progress" });
  const dev = startDev(daemon);
  await waitFor(DEADLINE_MS, "dev waits for the job", () => daemon.jobRequests > 0);
  quit(dev);
  expect(await dev.ended).toMatchObject({ code: 0, err: "" });
  expect(daemon.posted).toEqual(["POST /api/apps/install", CANCEL]);
});

test("the dashboard of a daemon that runs already edits the app while dev runs, also after the daemon was started again", async () => {
  const daemon = await startFakeDaemon();
  const dev = startDev(daemon);
  await dev.says("q quit");
  expect(daemon.workshops).toEqual({ opened: 1, closed: 0 });
  expect(dev.terminal.written.out).toContain("edit the app there, too");
  await waitFor(DEADLINE_MS, "the events", () => daemon.streams.size === 1);
  for (const stream of daemon.streams) stream.end();
  await waitFor(DEADLINE_MS, "the second opening", () => daemon.workshops.opened === 2);
  dev.press("q");
  await dev.ended;
  expect(daemon.workshops.closed).toBe(1);
});
