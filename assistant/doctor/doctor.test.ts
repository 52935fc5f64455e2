import { chmod, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { answerJson, serveHttp, unusedAddress } from "../../common/testing/http-server.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { systemClock } from "../../common/time/clock.ts";
import { runProgram } from "../program.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";
import { serialIn } from "./checks/machine.ts";
import { CHECKS, type DoctorLine, examine, redactor } from "./doctor.ts";
import { type DoctorContext, ok } from "./doctor-check.ts";

let home = "";
beforeEach(async () => {
  home = temporaryFolder("doctor-");
});

async function lines(ids: string[], more: Partial<DoctorContext> = {}): Promise<Record<string, DoctorLine>> {
  const closed = await unusedAddress();
  const context: DoctorContext = {
    env: { PATH: process.env.PATH, HOME: home },
    packageFolder: process.cwd(),
    dataDir: path.join(home, "data"),
    daemonUrl: closed,
    hubUrl: closed,
    modelUrl: closed,
    node: "20.19.0",
    clock: systemClock,
    signal: new AbortController().signal,
    ...more,
  };
  const found = await examine(
    context,
    CHECKS.filter(({ id }) => ids.includes(id)),
  );
  return Object.fromEntries(found.map((line) => [line.id, line]));
}

/** Puts a program on a PATH of its own. */
async function program(name: string, script: string): Promise<string> {
  const folder = path.join(home, "bin");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(path.join(folder, name), 0o755);
  return `${folder}:/bin:/usr/bin`;
}

test("what is missing has a status and a next step; what only some uses need is no failure", async () => {
  const found = await lines(CHECKS.map(({ id }) => id));
  expect(Object.keys(found)).toEqual(CHECKS.map(({ id }) => id));
  for (const { status, detail, next } of Object.values(found)) {
    expect(detail).not.toBe("");
    expect(next === null).toBe(status === "ok");
  }
  expect(found.versions).toMatchObject({ status: "ok", detail: expect.stringContaining("Node 20.19.0") });
  expect(found.python).toMatchObject({ status: "ok" });
  expect(found.daemon).toMatchObject({ status: "ok", detail: expect.stringContaining("none runs") });
  expect(found.hub).toMatchObject({ status: "warn", next: expect.stringContaining("publishing") });
  expect(found.token).toMatchObject({ status: "warn", next: expect.stringContaining("hf auth login") });
  expect(found.model).toMatchObject({ status: "warn", next: expect.stringContaining("docs/serving.md") });
  expect(found.disk?.detail).toMatch(/GB free/);
});

test("a data folder that takes no files keeps apps from running", async () => {
  expect((await lines(["disk"], { dataDir: "/proc/nope/data" })).disk).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("/proc cannot be written to (E"),
    next: expect.stringContaining("--data-dir"),
  });
});

test("old programs", async () => {
  expect((await lines(["versions"], { node: "18.20.1" })).versions?.status).toBe("fail");
  const PATH = await program("git", "echo git version 2.20.1");
  expect((await lines(["git"], { env: { PATH, HOME: home } })).git).toMatchObject({ status: "warn" });
  await program("python3", "echo 3.9.2");
  expect((await lines(["python"], { env: { PATH, HOME: home } })).python).toMatchObject({
    status: "fail",
    detail: "python3 3.9.2 is too old",
  });
  const missing = { PATH, HOME: home, ROBOT_PYTHON: "no-such-python" };
  expect((await lines(["python"], { env: missing })).python?.detail).toContain("no-such-python does not run");
});

test("servers that answer", async () => {
  const status = { state: "running", version: "9.9", error: null, simulation_enabled: true };
  const found = await lines(["daemon", "ports", "hub", "model"], {
    daemonUrl: await serveHttp(answerJson(200, status)),
    hubUrl: await serveHttp(answerJson(200, [])),
    modelUrl: await serveHttp(answerJson(200, { data: [] })),
  });
  expect(found.daemon?.detail).toMatch(/9\.9, a simulated robot, running$/);
  expect(found.ports?.detail).toContain("(the daemon's)");
  expect([found.hub?.status, found.model?.status]).toEqual(["ok", "ok"]);
  const other = await lines(["daemon", "hub"], {
    daemonUrl: await serveHttp(answerJson(404, {})),
    hubUrl: await serveHttp(answerJson(503, {})),
  });
  expect(other.daemon).toMatchObject({ status: "fail", detail: expect.stringContaining("is it a robot-daemon?") });
  expect(other.hub).toMatchObject({ status: "warn", detail: expect.stringContaining("503") });
});

test("an environment that is incomplete, or has no SDK, is not to be removed: it may have apps", async () => {
  await mkdir(path.join(home, "data/apps_venv/bin"), { recursive: true });
  expect((await lines(["environment"])).environment).toMatchObject({
    status: "fail",
    detail: "~/data/apps_venv is incomplete",
    next: "Start a daemon: it completes the environment, and keeps its apps.",
  });
  await writeFile(path.join(home, "data/apps_venv/robot-sdk.json"), "{}");
  await symlink(await realpath(".venv/bin/python"), path.join(home, "data/apps_venv/bin/python"));
  expect((await lines(["environment"])).environment).toMatchObject({
    status: "fail",
    detail: "the SDK cannot be imported in ~/data/apps_venv",
    next: expect.stringContaining("Remove ~/data/apps_venv/robot-sdk.json: "),
  });
});

test.runIf(process.platform === "linux")("an environment that cannot be created without a network", async () => {
  const PATH = await program("uv", "exit 1");
  const env = { PATH, HOME: home, PIP_CONFIG_FILE: "/dev/null", PIP_INDEX_URL: `${await unusedAddress()}/simple` };
  expect((await lines(["environment"], { env })).environment).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("the package index does not answer (127.0.0.1: ECONNREFUSED)"),
    next: expect.stringContaining("Connect to the network once"),
  });
});

test("serial ports", async () => {
  const context = {} as DoctorContext;
  expect((await serialIn(home).run(context)).detail).toMatch(/^none/);
  await writeFile(path.join(home, "ttyACM0"), "");
  await writeFile(path.join(home, "tty0"), "");
  expect(await serialIn(home).run(context)).toEqual(ok(path.join(home, "ttyACM0")));
});

test("a check that never ends has a deadline, and one that throws is a line", async () => {
  const broken = { id: "x", title: "X", run: () => Promise.reject(new Error("hf_abcdefgh is wrong")) };
  const [line] = await examine({ env: {}, signal: new AbortController().signal } as DoctorContext, [broken]);
  expect(line).toMatchObject({ status: "warn", detail: "[secret] is wrong" });
});

describe("nothing secret is shown", () => {
  test.each([
    ["token s3cret-value here", "token [secret] here"],
    ["hf_aBcDeFgHiJ", "[secret]"],
    ["https://me:pass@host/x?token=abc&y=1", "https://host/x?token=[secret]&y=1"],
    ["/home/ada/data", "~/data"],
  ])("%s", (text, shown) => {
    expect(redactor({ ROBOT_DAEMON_TOKEN: "s3cret-value", HOME: "/home/ada", SHORT_KEY: "a" })(text)).toBe(shown);
  });

  test("in the JSON of the command", async () => {
    const closed = await unusedAddress();
    const env = {
      PATH: "/bin:/usr/bin",
      HOME: home,
      HF_TOKEN: "hf_verysecret",
      ROBOT_DAEMON_TOKEN: "tok-12345",
      ROBOT_MODEL_URL: closed,
    };
    const terminal = fakeTerminal({ cwd: home, packageFolder: process.cwd(), env });
    await runProgram(["doctor", "--json", "--url", closed, "--hub-url", closed], "0.0.0", terminal);
    const { out, err } = terminal.written;
    expect(err).toBe("");
    expect(JSON.parse(out).checks).toHaveLength(CHECKS.length);
    for (const secret of ["verysecret", "tok-12345", home]) expect(out).not.toContain(secret);
  });
});
