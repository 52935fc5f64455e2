import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answerJson, serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { type ChooseDaemonOptions, chooseDaemon } from "./choose-daemon.ts";

/** A server that answers every request with this; its port. */
const serve = async (status: number, body: unknown): Promise<number> =>
  Number(new URL(await serveHttp(answerJson(status, body))).port);

const daemon = (simulated: boolean) =>
  serve(200, { state: "running", version: "1.2.3", error: null, simulation_enabled: simulated });

function choose(more: Partial<ChooseDaemonOptions>) {
  const said: string[] = [];
  const options: ChooseDaemonOptions = {
    url: undefined,
    port: 0,
    mayUseRunning: true,
    dataDir: undefined,
    workshop: { folder: "/app", secret: "secret" },
    interactive: true,
    packageFolder: "/nowhere",
    env: { PATH: process.env.PATH },
    signal: AbortSignal.timeout(60_000),
    say: (line) => said.push(line),
    ...more,
  };
  return { said, chosen: chooseDaemon(options) };
}

test("a running daemon with a simulated robot is used, and left as it is", async () => {
  const port = await daemon(true);
  const { said, chosen } = choose({ port });
  const { url, isSimulated, close } = await chosen;
  expect({ url, isSimulated }).toEqual({ url: `http://127.0.0.1:${port}`, isSimulated: true });
  expect(said).toEqual([expect.stringContaining("with a simulated robot")]);
  await close();
});

test("a physical robot is used only when a person names it", async () => {
  const port = await daemon(false);
  const url = `http://127.0.0.1:${port}`;
  await expect(choose({ port }).chosen).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(`add --url ${url}`),
  });
  expect(await choose({ url }).chosen).toMatchObject({ isSimulated: false });
});

test("an address without a daemon is refused with what to do", async () => {
  const port = await serve(404, {});
  await expect(choose({ url: `http://127.0.0.1:${port}` }).chosen).rejects.toMatchObject({
    code: "daemon-unreachable",
    message: expect.stringContaining("is it a robot-daemon?"),
  });
  const refused = await serve(401, { code: "token-required", detail: "needs its token" });
  await expect(choose({ url: `http://127.0.0.1:${refused}` }).chosen).rejects.toMatchObject({ code: "token-required" });
});

test("a daemon that does not start is shown with what it printed, and nothing of it is left", async () => {
  await expect(choose({}).chosen).rejects.toMatchObject({
    code: "daemon-failed",
    message: expect.stringContaining("/nowhere/bin/robot-daemon.mjs"),
  });
});

test("a daemon that is started gets the secret; a terminal shows the link with it, a log does not", async () => {
  const packageFolder = temporaryFolder("package-");
  await mkdir(path.join(packageFolder, "bin"));
  await writeFile(
    path.join(packageFolder, "bin/robot-daemon.mjs"),
    `const { argv, env } = process;
     const isGiven = env.ROBOT_WORKSHOP_SECRET === "secret" && argv.at(-1) === "/app" && !argv.includes("secret");
     console.log("  Dashboard   http://127.0.0.1:" + (isGiven ? 8123 : 1) + "/");
     setInterval(() => {}, 1000);`,
  );
  for (const interactive of [true, false]) {
    const { said, chosen } = choose({ packageFolder, mayUseRunning: false, interactive });
    const { dashboard, close } = await chosen;
    onTestFinished(close);
    expect(dashboard).toBe("http://127.0.0.1:8123/#workshop=secret");
    expect(said.join("\n").includes(dashboard)).toBe(interactive);
    expect(said.join("\n").includes("secret")).toBe(interactive);
  }
});

/** A package whose robot-daemon refuses to start, because a daemon at `url` uses the data folder. */
async function packageInUse(url: string, simulated: boolean): Promise<string> {
  const folder = temporaryFolder("package-");
  const daemon = { state: "running", version: "1.2.3", error: null, simulation_enabled: simulated };
  await mkdir(path.join(folder, "bin"));
  await writeFile(
    path.join(folder, "bin/robot-daemon.mjs"),
    `if (process.argv[2] === "status") console.log(${JSON.stringify(JSON.stringify({ url, daemon, app: null }))});
     else { console.error("robot-daemon: A robot-daemon at ${url} uses the data folder"); process.exitCode = 1; }`,
  );
  return folder;
}

test("the daemon that uses the data folder is named and used, unless a port was asked for", async () => {
  const packageFolder = await packageInUse("http://127.0.0.1:8123", true);
  const { said, chosen } = choose({ packageFolder });
  expect(await chosen).toMatchObject({ url: "http://127.0.0.1:8123", isSimulated: true });
  expect(said).toEqual([expect.stringContaining("at http://127.0.0.1:8123, with a simulated robot")]);
  await expect(choose({ packageFolder, mayUseRunning: false }).chosen).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("leave --port and --debug out to use it, or add --data-dir"),
  });
});

test("a physical robot whose daemon uses the data folder is not used unnamed", async () => {
  const packageFolder = await packageInUse("http://127.0.0.1:8123", false);
  await expect(choose({ packageFolder }).chosen).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("add --url http://127.0.0.1:8123 to use it"),
  });
});
