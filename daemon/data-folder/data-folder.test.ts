import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { enterDataFolder, openDataFolder, type Use } from "./data-folder.ts";

const DAEMON: Use = { doing: "daemon", url: null, venv: "/venv" };
const INSTALL: Use = { doing: "install", url: null, venv: "/venv" };

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), "data-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}
const patience = () => ({ signal: new AbortController().signal, onWait: () => {} });

test("a daemon's folder is refused to others, with its process, its address and what to do", async () => {
  const data = await folder();
  const mine = await openDataFolder(data, DAEMON, patience());
  await mine.tell({ ...DAEMON, url: "http://127.0.0.1:8123" });
  await expect(openDataFolder(data, DAEMON, patience())).rejects.toMatchObject({
    code: "data-folder-in-use",
    message: `A robot-daemon (process ${process.pid}) at http://127.0.0.1:8123 uses the data folder ${data}. Use that one, end it (kill ${process.pid}), or name another folder with --data-dir.`,
  });
  expect(await enterDataFolder(data, INSTALL)).toEqual({
    ...DAEMON,
    pid: process.pid,
    url: "http://127.0.0.1:8123",
  });
  await mine.close();
  expect(await readdir(data)).toEqual([]);
});

test("another's install is waited for, which can be called off", async () => {
  const data = await folder();
  const installing = await openDataFolder(data, INSTALL, patience());
  const told: string[] = [];
  const calledOff = new AbortController();
  const why = new Error("called off");
  const onWait = (message: string): void => {
    told.push(message);
    calledOff.abort(why);
  };
  await expect(openDataFolder(data, DAEMON, { signal: calledOff.signal, onWait })).rejects.toBe(why);
  expect(told).toEqual([`Process ${process.pid} is installing into ${data}; waiting until it is done.`]);
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

test("files that a killed program was still writing are taken away, others stay", async () => {
  const data = await folder();
  for (const name of ["running-app.json.123456", "access-token.77", "installed-apps.json", "my.json.bak"])
    await writeFile(path.join(data, name), "");
  const mine = await openDataFolder(data, DAEMON, patience());
  await mine.close();
  expect((await readdir(data)).sort()).toEqual(["installed-apps.json", "my.json.bak"]);
});

test("a place that takes no files is told at once", async () => {
  for (const place of ["/proc/nope", "/proc/self/nope/deeper", "/dev/null", "/dev/null/below"])
    await expect(openDataFolder(place, DAEMON, patience())).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(`The data folder ${place} cannot be made or written to (`),
    });
});
