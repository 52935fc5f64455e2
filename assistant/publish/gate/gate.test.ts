import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { readApp } from "../../check/check-app.ts";
import { runProgram } from "../../program.ts";
import { fakeTerminal } from "../../testing/fake-terminal.ts";
import { digestFiles, requireUnchanged as requireUnchangedSince } from "../checked-files.ts";
import { passGate } from "./gate.ts";
import { runCertify } from "./run-certify.ts";
import { withVerdictNote } from "./verdict-block.ts";

const signal = new AbortController().signal;
const requireUnchanged = async () => {};
let place = "";
let folder = "";
beforeEach(async () => {
  place = temporaryFolder("gate-");
  folder = path.join(place, "my_app");
  await runProgram(["create", "my_app", "."], "0", fakeTerminal({ cwd: place, packageFolder: process.cwd() }));
});

const page = () => readFile(path.join(folder, "index.html"), "utf8");

describe("the note on a landing page", () => {
  test.each([
    [
      "in main",
      "<body>\n  <main>\n    <h1>A</h1>\n  </main>\n</body>\n",
      /<h1>A<\/h1>\n<!-- robot-app[\s\S]*-->\n {2}<\/main>/,
    ],
    ["in the body", "<body><p>A</p></body>", /<p>A<\/p><!-- robot-app[\s\S]*-->\n<\/body>$/],
    ["at the end of a text", "A", /^A\n<!-- robot-app[\s\S]*-->\n$/],
  ])("%s", (_, before, expected) => {
    const certified = withVerdictNote(before, "certified");
    expect(certified).toMatch(expected);
    expect(withVerdictNote(certified, "certified")).toBe(certified);
    const skipped = withVerdictNote(certified, "skipped");
    expect(skipped).toContain("published with --skip-certify");
    expect(skipped).not.toContain("badge.svg");
    expect(withVerdictNote(skipped, "certified")).toBe(certified);
  });
});

test("what is certified is the app with its note, and its verdict is put beside it", async () => {
  await mkdir(path.join(folder, "__pycache__"));
  const seen: string[] = [];
  await passGate({
    ...{ folder, app: "my_app", skipCertify: false, requireUnchanged, signal },
    certify: async ({ app, out }) => {
      seen.push(path.basename(app), await readFile(path.join(app, "index.html"), "utf8"));
      expect(existsSync(path.join(app, "__pycache__"))).toBe(false);
      expect(existsSync(path.join(app, ".gitignore"))).toBe(true);
      await mkdir(out);
      for (const name of ["report.html", "verdict.json", "badge.svg", "junit.xml"])
        await writeFile(path.join(out, name), name);
    },
  });
  expect(seen).toEqual(["my_app", await page()]);
  expect(await page()).toContain("robot-app-verdict/report.html");
  expect(await readFile(path.join(folder, "robot-app-verdict/badge.svg"), "utf8")).toBe("badge.svg");
  expect(existsSync(path.join(folder, "robot-app-verdict/junit.xml"))).toBe(false);

  const notCalled = () => Promise.reject(new Error("no"));
  await passGate({ folder, app: "my_app", skipCertify: true, requireUnchanged, signal, certify: notCalled });
  expect(await page()).toContain("Not certified: published with --skip-certify.");
  expect(existsSync(path.join(folder, "robot-app-verdict"))).toBe(false);
});

test("an app that is refused stays as it was", async () => {
  const before = await page();
  const certify = () => Promise.reject(new Error("not conformant"));
  const refused = passGate({ folder, app: "my_app", skipCertify: false, requireUnchanged, signal, certify });
  await expect(refused).rejects.toThrow("not conformant");
  expect(await page()).toBe(before);
  expect(existsSync(path.join(folder, "robot-app-verdict"))).toBe(false);
});

test("an app that changes while it is certified keeps what was saved", async () => {
  const app = { folder, app: "my_app", skipCertify: false, signal };
  const checked = await digestFiles(folder, await readApp(folder, signal), signal);
  const refused = passGate({
    ...app,
    requireUnchanged: () => requireUnchangedSince(folder, checked, signal),
    certify: () => writeFile(path.join(folder, "index.html"), "<p>mine</p>"),
  });
  await expect(refused).rejects.toMatchObject({
    code: "publish-refused",
    message: expect.stringContaining("index.html changed after the check. Publish again"),
  });
  expect(await page()).toBe("<p>mine</p>");
  expect(existsSync(path.join(folder, "robot-app-verdict"))).toBe(false);
});

describe("a certification that ends with", () => {
  /** Runs a program in place of the certification. */
  async function certifyWith(script: string) {
    const bin = path.join(place, "package/bin");
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, "robot-app-assistant.mjs"), script);
    await chmod(path.join(bin, "robot-app-assistant.mjs"), 0o755);
    let output = "";
    const onOutput = (text: string) => {
      output += text;
    };
    const options = { app: folder, out: place, packageFolder: path.join(place, "package"), env: process.env, signal };
    await runCertify({ ...options, onOutput });
    return output;
  }

  test("0 is passed, with what it prints", async () => {
    expect(await certifyWith("console.log(process.argv.slice(2).join(' '))")).toBe(
      `certify ${folder} --out ${place}\n`,
    );
  });

  test.each([
    [1, "publish-refused", "Fix what is marked ✗ above"],
    [5, "publish-refused", "inconclusive"],
    [3, "check-failed", "itself failed (3)"],
    [77, "check-failed", "--skip-certify"],
  ])("%i is refused", async (code, error, message) => {
    const failing = certifyWith(`process.exit(${code})`);
    await expect(failing).rejects.toMatchObject({ code: error, message: expect.stringContaining(message) });
  });
});
