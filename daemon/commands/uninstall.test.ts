import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { openDataFolder } from "../data-folder/data-folder.ts";
import type { CommandContext } from "./command-context.ts";
import { uninstallDaemon } from "./uninstall.ts";

let home = "";
let dataDir = "";
beforeEach(() => {
  home = temporaryFolder("uninstall-");
  dataDir = join(home, ".local/share/robot-daemon");
  for (const folder of ["apps_venv/bin", "logs", "certification"])
    mkdirSync(join(dataDir, folder), { recursive: true });
  writeFileSync(join(dataDir, "access-token"), "secret");
  mkdirSync(join(home, ".local/state/robot-app-assistant"), { recursive: true });
});

/** Runs `uninstall` for a person who gives this answer, or for nobody (null). */
async function run(
  options: { purge: boolean; agreed?: boolean; venv?: string; json?: boolean },
  answer: boolean | null = null,
) {
  let out = "";
  const write = (text: string): void => {
    out += text;
  };
  const context: Partial<CommandContext> = {
    env: { HOME: home },
    print: write,
    report: options.json ? () => {} : write,
    isInteractive: answer !== null,
    commandFor: (program) => program,
    confirm: async () => answer === true,
  };
  const { purge, agreed = false, venv = join(dataDir, "apps_venv"), json = false } = options;
  const invocation = { command: "uninstall", dataDir, venv, purge, agreed, json } as const;
  const done = await uninstallDaemon(invocation, context as CommandContext);
  return { out, done };
}

test("without --purge it says how to remove the programs and what stays, and changes nothing", async () => {
  const { out, done } = await run({ purge: false });
  expect(done).toBe(true);
  expect(out).toContain("npm uninstall --global robot-daemon removes the programs.");
  expect(out).toContain(`${dataDir}  (`);
  expect(readdirSync(dataDir).sort()).toEqual(["access-token", "apps_venv", "certification", "logs"]);
});

test("--json prints the folders as one object", async () => {
  const folder = { folder: dataDir, megabytes: expect.any(Number), holds: expect.stringContaining("apps") };
  const { out } = await run({ purge: false, json: true });
  expect(JSON.parse(out)).toMatchObject({ status: "kept", folders: expect.arrayContaining([folder]) });
  expect(JSON.parse((await run({ purge: true, json: true }, false)).out)).toMatchObject({ status: "declined" });
  expect(JSON.parse((await run({ purge: true, json: true }, true)).out)).toMatchObject({ status: "removed" });
});

test("--purge asks, and removes nothing when the person declines or nobody can be asked", async () => {
  expect(await run({ purge: true }, false)).toMatchObject({ done: false });
  await expect(run({ purge: true })).rejects.toMatchObject({ code: "usage" });
  expect(existsSync(join(dataDir, "apps_venv"))).toBe(true);
});

test("--purge removes all that the programs keep, an environment elsewhere included", async () => {
  const venv = join(home, "venvs/apps_venv");
  mkdirSync(venv, { recursive: true });
  writeFileSync(join(venv, "robot-sdk.json"), '{ "sdk": "digest", "created": true }');
  expect(await run({ purge: true, venv }, true)).toMatchObject({ done: true });
  expect(readdirSync(home, { recursive: true }).sort()).toEqual([".local", ".local/share", ".local/state", "venvs"]);
  expect((await run({ purge: true, agreed: true })).out).toBe("There is nothing to remove.\n");
});

test("files of somebody else in the data folder and recorded moves stay, and are reported", async () => {
  writeFileSync(join(dataDir, "thesis.txt"), "");
  mkdirSync(join(dataDir, "moves/ada/dances"), { recursive: true });
  const { out } = await run({ purge: true, agreed: true });
  expect(out).toContain(`${dataDir} stays, with moves, thesis.txt: delete what you do not need.`);
  expect(readdirSync(dataDir)).toEqual(["moves", "thesis.txt"]);
});

test.each(["thesis.txt", "robot-sdk.json"])(
  "--purge leaves a folder that --venv names and that the daemon did not create, with %s",
  async (file) => {
    const venv = join(home, "projects");
    mkdirSync(venv);
    writeFileSync(join(venv, file), '{ "sdk": "digest" }');
    const { out } = await run({ purge: true, agreed: true, venv });
    expect(out).not.toContain(venv);
    expect(readdirSync(venv)).toEqual([file]);
  },
);

test("--purge removes environments that were set aside", async () => {
  mkdirSync(join(dataDir, "apps_venv-2026-11-24T10-00-00-000Z/bin"), { recursive: true });
  await run({ purge: true, agreed: true });
  expect(existsSync(dataDir)).toBe(false);
});

test("--purge refuses while a daemon uses the folder", async () => {
  const use = { doing: "daemon", url: "http://127.0.0.1:1", venv: null } as const;
  const folder = await openDataFolder(dataDir, use, { signal: new AbortController().signal, onWait: () => {} });
  await expect(run({ purge: true, agreed: true })).rejects.toMatchObject({ code: "data-folder-in-use" });
  await folder.close();
});
