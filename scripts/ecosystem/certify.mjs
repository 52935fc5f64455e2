// check and certify of the SDK's own template and of the apps of the public dialect.
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { APPS, createTemplate } from "./apps.mjs";
import { HOME } from "./public-sdk.mjs";
import { row, section } from "./table.mjs";

const CERTIFY_MS = 900_000;

/** @param {string[]} args @returns {Promise<{ code: number, output: string }>} */
const assistant = (args) =>
  new Promise((done) => {
    const command = ["bin/robot-app-assistant.mjs", ...args];
    execFile(
      process.execPath,
      command,
      { timeout: CERTIFY_MS, maxBuffer: 64e6, env: { ...process.env, XDG_DATA_HOME: HOME } },
      (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    );
  });

export async function certifyApps() {
  const template = await createTemplate();
  const folders = [template, ...APPS.map((app) => resolve("fixtures/ecosystem/spaces/neighbour", app))];
  section("check");
  for (const folder of folders) {
    await row(nameOf(folder), async () => {
      const { output } = await assistant(["check", folder, "--json"]);
      const { counts, results, dialect } = JSON.parse(output);
      const findings = results.flatMap((/** @type {{ findings: { message: string }[] }} */ each) => each.findings);
      if (findings.length > 0) throw new Error(findings[0].message);
      return `${dialect}: ${counts.pass} passed, ${counts.skip} skipped, 0 findings`;
    });
  }
  section("certify");
  for (const folder of folders) {
    await row(nameOf(folder), async () => {
      const { code, output } = await assistant(["certify", folder]);
      const verdict =
        output.split("\n").find((line) => /conformant|inconclusive|passed/i.test(line)) ?? output.slice(-300);
      if (code !== 0) throw new Error(verdict.trim());
      return verdict.trim();
    });
  }
}

/** @param {string} folder */
const nameOf = (folder) => folder.split("/").at(-1) ?? folder;
