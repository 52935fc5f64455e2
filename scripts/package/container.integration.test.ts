import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyTree } from "../../common/machine/copy-tree.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { newPlace } from "./install.mjs";
import { pack } from "./pack.mjs";

const CLEAN_VENV = resolve("artifacts/certification/apps_venv");
const STEP_TIMEOUT_MS = 200_000;

/** The instructions of the Containerfile: one stage, variables, continued lines. */
const instructions = readFileSync("Containerfile", "utf8")
  .replaceAll(/^\s*#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .flatMap((line) => {
    const [, name, value] = /^(\w+)\s+(.+)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
/** The values of all instructions of a name. */
const valuesOf = (wanted: string) => instructions.filter(({ name }) => name === wanted).map(({ value }) => value);
/** The words of the one instruction of a name, in its JSON form, which no shell reads. */
const wordsOf = (name: string): string[] => {
  const [value = "[]"] = valuesOf(name);
  return JSON.parse(value.slice(value.indexOf("[")));
};

test("the image has a user without privileges, a health check and one volume", () => {
  const users = valuesOf("USER");
  expect(users).toHaveLength(1);
  expect(users).not.toContain("root");
  expect(valuesOf("VOLUME")).toEqual(["/data"]);
  expect(valuesOf("HEALTHCHECK")).toHaveLength(1);
  const order = instructions.map(({ name }) => name);
  expect(order.indexOf("USER")).toBeGreaterThan(order.lastIndexOf("RUN"));
});

/** A folder that stands for the image's root, with programs in place of those that would change this machine. */
function imageFolder(): { root: string; calls: () => string; inImage: (text: string) => string } {
  const root = temporaryFolder("image-");
  for (const folder of ["bin", "tmp", "usr", "var/lib/apt/lists"]) mkdirSync(join(root, folder), { recursive: true });
  for (const program of ["apt-get", "useradd", "chown"])
    writeFileSync(join(root, "bin", program), `#!/bin/sh\necho "${program} $*" >> "${root}/calls"\n`, { mode: 0o755 });
  return {
    root,
    calls: () => readFileSync(join(root, "calls"), "utf8"),
    inImage: (text) => text.replaceAll(/(^|[\s=])\/(data|tmp|var)\b/g, `$1${root}/$2`),
  };
}

test("its steps make a daemon that becomes healthy and stops when it is asked to", async () => {
  const image = imageFolder();
  const { root, inImage } = image;
  const packed = await pack(join(root, "context"));
  const place = newPlace();
  onTestFinished(place.remove);
  const settings = valuesOf("ENV").flatMap((value) => inImage(value).split(" "));
  const env = {
    ...place.env,
    ...Object.fromEntries(settings.map((setting) => setting.split("=", 2))),
    PATH: `${root}/bin:${root}/usr/bin:${place.env.PATH}`,
    npm_config_prefix: join(root, "usr"),
    // npm looks for the machine's settings, such as its certificates, below the prefix.
    npm_config_globalconfig: spawnSync("npm", ["config", "get", "globalconfig"], { encoding: "utf8" }).stdout.trim(),
  };

  for (const { name, value } of instructions) {
    if (name === "COPY") copyFileSync(packed.file, join(root, "tmp/robot-daemon.tgz"));
    if (name !== "RUN") continue;
    const step = inImage(value).replace("npm cache clean --force", "true");
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-ec", step], {
      env,
      encoding: "utf8",
      timeout: STEP_TIMEOUT_MS,
    });
    expect({ step, status, said: status === 0 ? "" : stdout + stderr }).toEqual({ step, status: 0, said: "" });
  }
  expect(image.calls()).toMatch(/apt-get install .*python3-venv[\s\S]*useradd .*robot\n[\s\S]*chown robot: /);
  expect(existsSync(join(root, "usr/bin/robot-app-assistant"))).toBe(true);

  // The first start would create it.
  const data = join(root, "data/robot-daemon");
  mkdirSync(data, { recursive: true });
  copyTree(CLEAN_VENV, join(data, "apps_venv"));
  const [program = ""] = wordsOf("ENTRYPOINT");
  const args = wordsOf("CMD");
  expect(args).toEqual(["--sim", "--host", "0.0.0.0"]);
  const daemon = spawn(program, ["--sim", "--port", "0"], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void daemon.kill("SIGKILL"));
  const ended = new Promise((settle) => daemon.once("exit", (code) => settle(code)));
  const url = await new Promise<string>((settle, reject) => {
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (found !== undefined) settle(found);
    };
    daemon.stdout.on("data", collect);
    daemon.stderr.on("data", collect);
    daemon.once("exit", (code) => reject(new Error(`the daemon ended with ${code}:\n${output}`)));
  });
  const [node = "", ...check] = wordsOf("HEALTHCHECK");
  const health = (address: string): number | null =>
    spawnSync(
      node,
      check.map((word) => word.replace("http://127.0.0.1:8000", address)),
      { env },
    ).status;
  expect(health(url)).toBe(0);
  expect(health("http://127.0.0.1:1")).toBe(1);
  daemon.kill("SIGTERM");
  expect(await ended).toBe(0);
});
