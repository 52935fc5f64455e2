import { expect, onTestFinished, test } from "vitest";
import { unusedAddress } from "../../common/testing/http-server.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { tryOpenDataFolder } from "../data-folder/data-folder.ts";
import type { CommandContext } from "./command-context.ts";
import { showLink } from "./link.ts";

async function linkFor(dataDir: string, port: number | null): Promise<{ port: string; reported: string }> {
  let printed = "";
  let reported = "";
  const print = (text: string): void => {
    printed += text;
  };
  const report = (text: string): void => {
    reported += text;
  };
  await showLink({ command: "link", dataDir, host: "0.0.0.0", port, json: true }, { print, report } as CommandContext);
  return { port: new URL(JSON.parse(printed).url).port, reported };
}

test("the link leads to the daemon that uses the data folder, unless a port is named", async () => {
  const dataDir = temporaryFolder("link-");
  expect(await linkFor(dataDir, null)).toEqual({ port: "8000", reported: "" });
  const url = await unusedAddress();
  const daemon = await tryOpenDataFolder(dataDir, { doing: "daemon", url, venv: null });
  if ("close" in daemon) onTestFinished(() => daemon.close());
  expect(await linkFor(dataDir, null)).toEqual({
    port: new URL(url).port,
    reported: expect.stringContaining(`The robot-daemon at ${url} does not answer at http://`),
  });
  expect(await linkFor(dataDir, 9000)).toEqual({ port: "9000", reported: "" });
});
