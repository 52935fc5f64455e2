import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { tryOpenDataFolder } from "../data-folder/data-folder.ts";
import type { CommandContext } from "./command-context.ts";
import { showLink } from "./link.ts";

async function linkFor(dataDir: string, port: number | null): Promise<string> {
  let printed = "";
  const print = (text: string): void => {
    printed += text;
  };
  await showLink({ command: "link", dataDir, host: "0.0.0.0", port, json: true }, { print } as CommandContext);
  return new URL(JSON.parse(printed).url).port;
}

test("the link leads to the daemon that uses the data folder, unless a port is named", async () => {
  const dataDir = temporaryFolder("link-");
  expect(await linkFor(dataDir, null)).toBe("8000");
  const daemon = await tryOpenDataFolder(dataDir, { doing: "daemon", url: "http://127.0.0.1:8123", venv: null });
  if ("close" in daemon) onTestFinished(() => daemon.close());
  expect(await linkFor(dataDir, null)).toBe("8123");
  expect(await linkFor(dataDir, 9000)).toBe("9000");
});
