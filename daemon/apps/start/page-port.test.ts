import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";
import { withPagePort } from "./page-port.ts";

const appAt = (url: string | null): InstalledApp =>
  ({ info: { name: "paged", extra: { custom_app_url: url } }, module: "paged.main", file: null }) as never;

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

test("an app without a page, and one whose port is free, stay as they are", async () => {
  const port = await takenPort();
  for (const app of [appAt(null), appAt("not an address")]) expect(await withPagePort(app, null, true)).toBe(app);
  const app = appAt(`http://localhost:${port}`);
  expect(await withPagePort(app, app as never as AppStatus, true)).toBe(app); // the one that runs gives it back
});

test("a bundled app gets another port, which its address has", async () => {
  const port = await takenPort();
  const { page, info } = await withPagePort(appAt(`http://localhost:${port}/start?x=1`), null, true);
  expect(page?.port).not.toBe(port);
  expect(info.extra.custom_app_url).toBe(`http://localhost:${page?.port}/start?x=1`);
});

test("any other app learns who has its port", async () => {
  const app = appAt(`http://0.0.0.0:${await takenPort()}`);
  const { page, info } = await withPagePort(app, null, false);
  expect([page?.holder, info]).toEqual([expect.stringContaining(`process ${process.pid} (`), app.info]);
});
