import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { readSettings, type SettingChanges, writeSettings } from "./app-settings.ts";

const DECLARED = {
  speed: { title: "Speed, percent", default: 100, min: 0, max: 300 },
  side: { default: "left", choices: ["left", "right"] },
  name: { default: "" },
  loud: { default: false },
};
let module = "";
let work = "";
beforeEach(() => {
  const folder = temporaryFolder("settings-");
  mkdirSync(join(folder, "my_app"));
  module = join(folder, "my_app/main.py");
  work = join(folder, "work/my_app");
  declare(DECLARED);
});

const declare = (declared: unknown) =>
  writeFileSync(
    join(module, "../robot_settings.json"),
    typeof declared === "string" ? declared : JSON.stringify(declared),
  );
const values = async () =>
  Object.fromEntries((await readSettings(module, work)).map(({ name, value }) => [name, value]));
const write = (changes: SettingChanges) => writeSettings(module, work, changes);
const file = () => JSON.parse(readFileSync(join(work, "robot_settings.json"), "utf8"));

test("an app without a declaration has no settings", async () => {
  expect(await readSettings(join(work, "main.py"), work)).toEqual([]);
});

test("settings have their defaults until they are set, and again when they are reset; only what is set is kept", async () => {
  const defaults = { speed: 100, side: "left", name: "", loud: false };
  expect(await values()).toEqual(defaults);
  await write({ speed: 20.5, side: "right", loud: true });
  expect(await values()).toEqual({ ...defaults, speed: 20.5, side: "right", loud: true });
  await write({ speed: null, name: "Ada" });
  expect(file()).toEqual({ side: "right", name: "Ada", loud: true });
  expect((await readSettings(module, work))[0]).toEqual({ name: "speed", ...DECLARED.speed, value: 100 });
});

test("values that the declaration does not allow any more are the defaults", async () => {
  await write({ speed: 250, side: "right" });
  declare({ ...DECLARED, speed: { default: 5, max: 10 }, side: { default: true } });
  expect(await values()).toEqual({ speed: 5, side: true, name: "", loud: false });
  writeFileSync(join(work, "robot_settings.json"), "{");
  expect(await values()).toMatchObject({ speed: 5 });
});

describe("refuses", () => {
  test.each<[SettingChanges, string]>([
    [{ speed: 301 }, "speed is 301; it must be a number of at least 0 and of at most 300."],
    [{ speed: true }, "speed is true; it must be a number of at least 0 and of at most 300."],
    [{ side: "up" }, 'side is "up"; it must be one of left, right.'],
    [{ loud: 1 }, "loud is 1; it must be true or false."],
    [{ name: 1 }, "name is 1; it must be a text."],
    [{ constructor: 1 }, 'There is no setting "constructor". Settings: speed, side, name, loud.'],
  ])("%j", async (changes, message) => {
    await expect(write({ name: "Ada", ...changes })).rejects.toMatchObject({ code: "bad-request", message });
    expect(await values()).toMatchObject({ name: "" });
  });

  test.each<[unknown, RegExp]>([
    ["{", /robot_settings\.json is no JSON: /],
    [[], /it must be an object/],
    [{ "a b": { default: 1 } }, /a b/],
    [{ speed: { default: 1, min: 2 } }, /speed\.default is 1; it must be a number of at least 2/],
    [{ side: { default: "left", min: 2 } }, /side\.min is 2; it must be left out, unless the default is a number/],
    [
      { speed: { default: 1, choices: ["1"] } },
      /speed\.choices is .*; it must be left out, unless the default is a string/,
    ],
    [{ speed: {} }, /speed\.default is missing/],
    [{ speed: { default: 1, maximum: 2 } }, /without "maximum"/],
  ])("the declaration %j", async (declared, message) => {
    declare(declared);
    await expect(readSettings(module, work)).rejects.toMatchObject({
      code: "app-invalid",
      message: expect.stringMatching(message),
    });
  });
});
