import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { systemClock } from "../../../common/time/clock.ts";
import type { IdentifyInvocation } from "../../command-line/invocation.ts";
import type { CommandContext } from "../../commands/command-context.ts";
import { runIdentify } from "../../commands/servo-commands.ts";
import { tryOpenDataFolder } from "../../data-folder/data-folder.ts";
import { type IdentifyContext, identifyFile, recordAndIdentify } from "./identify-command.ts";

let folder: string;
let printed: string[];
let context: IdentifyContext;

beforeEach(async () => {
  folder = await temporaryFolder("identify");
  printed = [];
  const print = (text: string) => printed.push(text);
  // Nothing listens at this port: a command that gets so far has not moved a robot.
  const link = "tcp://127.0.0.1:9";
  context = { link, clock: systemClock, signal: new AbortController().signal, print, report: () => {} };
});

const place = (name: string) => path.join(folder, name);

describe("the file", () => {
  test("in a folder that does not exist is refused before a link is opened", async () => {
    await expect(recordAndIdentify(context, place("no/servos.json"), false)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/cannot be written \(ENOENT\)\. Name a file/),
    });
  });

  test("on a full disk is refused before a link is opened, and nothing is left", async () => {
    await symlink("/dev/full", place("servos.json.part"));
    await expect(recordAndIdentify(context, place("servos.json"), false)).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringMatching(/needs 6 MB at .*servos\.json\. Free some space/),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("in the place of a folder or a device is refused before a link is opened", async () => {
    for (const there of [folder, `${folder}/`, "/dev/null"])
      await expect(recordAndIdentify(context, there, false)).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("is not a file. Name a file"),
      });
    expect(await readdir(folder)).toEqual([]);
  });

  test("is refused while a file has the name that it has until it is complete", async () => {
    await writeFile(place("servos.json.part"), "mine");
    await expect(recordAndIdentify(context, place("servos.json"), false)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/servos\.json\.part exists.*Remove it, or name another file/),
    });
    expect(await readFile(place("servos.json.part"), "utf8")).toBe("mine");
  });

  test("of an earlier measurement stays when the new one fails", async () => {
    await writeFile(place("servos.json"), "earlier");
    await expect(recordAndIdentify(context, place("servos.json"), false)).rejects.toMatchObject({
      code: "robot-not-found",
    });
    expect(await readFile(place("servos.json"), "utf8")).toBe("earlier");
    expect(existsSync(place("servos.json.part"))).toBe(false);
  });

  test("that does not exist, or is none, is refused with the next step", async () => {
    await expect(identifyFile(context, place("servos.json"), false)).rejects.toThrow(
      /ENOENT\)\. Record it with identify --record/,
    );
    await writeFile(place("servos.json"), "{}");
    await expect(identifyFile(context, place("servos.json"), false)).rejects.toMatchObject({ code: "bad-request" });
    await mkdir(place("folder"));
    await expect(identifyFile(context, place("folder"), false)).rejects.toThrow(/is not a file\. Record it/);
    await expect(identifyFile(context, "/dev/zero", false)).rejects.toThrow(/is not a file/);
    await writeFile(place("large.json"), Buffer.alloc(24_000_001, " "));
    await expect(identifyFile(context, place("large.json"), false)).rejects.toThrow(
      /24000001 bytes; a measurement has at most/,
    );
  });
});

describe("robot-daemon identify --record", () => {
  const invocation = (): IdentifyInvocation => ({
    command: "identify",
    serialport: "tcp://127.0.0.1:9",
    dataDir: place("data"),
    file: place("servos.json"),
    records: true,
    json: false,
  });
  const command = () =>
    ({ print: () => undefined, report: () => undefined, interrupted: context.signal }) as unknown as CommandContext;

  test.each([
    [
      "daemon",
      "http://127.0.0.1:8000",
      /robot-daemon \(process \d+\) at http:\/\/127\.0\.0\.1:8000 uses the robot, and an app may run in it\. End it \(kill \d+\)\. Measure again/,
    ],
    ["install", null, /busy with "install"\. Measure again when it has ended/],
  ] as const)("is refused while a %s uses the data folder, with the next step", async (doing, url, message) => {
    const held = await tryOpenDataFolder(place("data"), { doing, url, venv: null });
    if (!("close" in held)) throw new Error("not free");
    try {
      await expect(runIdentify(invocation(), command())).rejects.toMatchObject({
        code: "data-folder-in-use",
        message: expect.stringMatching(message),
      });
    } finally {
      await held.close();
    }
    await expect(runIdentify(invocation(), command())).rejects.toMatchObject({ code: "robot-not-found" });
  });
});
