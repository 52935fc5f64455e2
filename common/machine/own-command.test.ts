import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { ownCommand, shellQuote } from "./own-command.ts";

let root: string;
beforeEach(() => {
  root = temporaryFolder("own-command-");
});

/** A package with its program, and a link to that as npm makes it. */
function installAt(packageFolder: string, bin: string): void {
  mkdirSync(join(packageFolder, "bin"), { recursive: true });
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(packageFolder, "bin/robot-daemon.mjs"), "");
  symlinkSync(join(packageFolder, "bin/robot-daemon.mjs"), join(bin, "robot-daemon"));
}

test("a program on PATH is called by its name, from everywhere", () => {
  const packageFolder = join(root, "lib/node_modules/robot-daemon");
  installAt(packageFolder, join(root, "bin"));
  const env = { PATH: `/usr/bin:${join(root, "bin")}` };
  expect(ownCommand("robot-daemon", { packageFolder, cwd: "/", env })).toBe("robot-daemon");
});

test("in a project that has the package, also in its folders, npx finds it; elsewhere its path is needed", () => {
  const project = join(root, "my project");
  const packageFolder = join(project, "node_modules/robot-daemon");
  const bin = join(project, "node_modules/.bin");
  installAt(packageFolder, bin);
  mkdirSync(join(project, "apps"));
  // npx itself puts the project's folder on PATH.
  const env = { PATH: `${bin}:/usr/bin` };
  expect(ownCommand("robot-daemon", { packageFolder, cwd: project, env })).toBe("npx robot-daemon");
  expect(ownCommand("robot-daemon", { packageFolder, cwd: join(project, "apps"), env })).toBe("npx robot-daemon");
  expect(ownCommand("robot-daemon", { packageFolder, cwd: root, env })).toBe(`'${packageFolder}/bin/robot-daemon.mjs'`);
});

test("another robot-daemon on PATH or in a project is not ours", () => {
  installAt(join(root, "theirs"), join(root, "bin"));
  const packageFolder = join(root, "ours");
  installAt(packageFolder, join(root, "unused"));
  const env = { PATH: join(root, "bin") };
  expect(ownCommand("robot-daemon", { packageFolder, cwd: packageFolder, env })).toBe("npx robot-daemon");
  expect(ownCommand("robot-daemon", { packageFolder, cwd: root, env })).toBe(`${packageFolder}/bin/robot-daemon.mjs`);
});

test("words are quoted for a shell when they need it", () => {
  expect([shellQuote("./my_app"), shellQuote("it's mine"), shellQuote("")]).toEqual([
    "./my_app",
    "'it'\\''s mine'",
    "''",
  ]);
});
