import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { type DataFolderUse, openDataFolder, tryOpenDataFolder } from "./data-folder.ts";

const DAEMON: DataFolderUse = { doing: "daemon", url: null, venv: "/venv" };
const INSTALL: DataFolderUse = { doing: "install", url: null, venv: "/venv" };

async function tempFolder(): Promise<string> {
  const folder = temporaryFolder("data-");
  return folder;
}
const waitOptions = () => ({ signal: new AbortController().signal, onWait: () => {} });

test("refuses a folder that a daemon uses, and names its process, its address and the remedy", async () => {
  const data = await tempFolder();
  const opened = await openDataFolder(data, DAEMON, waitOptions());
  await opened.publish({ ...DAEMON, url: "http://127.0.0.1:8123" });
  await expect(openDataFolder(data, DAEMON, waitOptions())).rejects.toMatchObject({
    code: "data-folder-in-use",
    message: `A robot-daemon (process ${process.pid}) at http://127.0.0.1:8123 uses the data folder ${data}. Use that one, end it (kill ${process.pid}), or name another folder with --data-dir.`,
  });
  expect(await tryOpenDataFolder(data, INSTALL)).toEqual({
    ...DAEMON,
    pid: process.pid,
    url: "http://127.0.0.1:8123",
  });
  await opened.close();
  expect(await readdir(data)).toEqual([]);
});

test("waits for another program's install, and stops waiting when the signal aborts", async () => {
  const data = await tempFolder();
  const installing = await openDataFolder(data, INSTALL, waitOptions());
  const messages: string[] = [];
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const onWait = (message: string): void => {
    messages.push(message);
    controller.abort(reason);
  };
  await expect(openDataFolder(data, DAEMON, { signal: controller.signal, onWait })).rejects.toBe(reason);
  expect(messages).toEqual([`Process ${process.pid} is installing into ${data}; waiting until it is done.`]);
  let waits = 0;
  const opened = openDataFolder(data, DAEMON, {
    signal: new AbortController().signal,
    onWait: () => {
      waits += 1;
      void installing.close();
    },
  });
  await (await opened).close();
  expect(waits).toBe(1);
});

test("removes files that a killed program was writing, and keeps all others", async () => {
  const data = await tempFolder();
  for (const name of ["running-app.json.123456", "access-token.77", "installed-apps.json", "my.json.bak"])
    await writeFile(path.join(data, name), "");
  const opened = await openDataFolder(data, DAEMON, waitOptions());
  await opened.close();
  expect((await readdir(data)).sort()).toEqual(["installed-apps.json", "my.json.bak"]);
});

test("reports immediately a place that takes no files", async () => {
  for (const place of ["/proc/nope", "/proc/self/nope/deeper", "/dev/null", "/dev/null/below"])
    await expect(openDataFolder(place, DAEMON, waitOptions())).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(`The data folder ${place} cannot be created or written to (`),
    });
});
