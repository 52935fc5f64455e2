// check and certify of the SDK's own template and of the apps of the public dialect.
import { join, resolve } from "node:path";
import { execa } from "execa";
import { section } from "../bench/figures.ts";
import { APPS, createTemplate } from "./apps.ts";
import { HOME } from "./public-sdk.ts";
import { NotHere, row } from "./table.ts";

/** Milliseconds for one command. */
const COMMAND_MS = 900_000;

async function assistant(args: string[]) {
  const options = { timeout: COMMAND_MS, maxBuffer: 64e6, env: { XDG_DATA_HOME: HOME }, reject: false };
  const { exitCode, stdout, stderr } = await execa(process.execPath, ["bin/robot-app-assistant.mjs", ...args], options);
  return { code: exitCode ?? 1, stdout, stderr };
}

export async function certifyApps() {
  const template = await createTemplate();
  const folders = [template, ...APPS.map((app) => resolve("fixtures/ecosystem/spaces/neighbour", app))];
  section("check");
  for (const folder of folders) {
    await row(nameOf(folder), async () => {
      const { stdout, stderr } = await assistant(["check", folder, "--json"]);
      if (stdout === "") throw new Error(stderr.slice(-300));
      const { counts, results, dialect } = JSON.parse(stdout);
      const findings = results.flatMap((each: { findings: { message: string }[] }) => each.findings);
      if (findings.length > 0) throw new Error(findings[0].message);
      return `${dialect}: ${counts.pass} passed, ${counts.skip} skipped, 0 findings`;
    });
  }
  section("certify");
  for (const folder of folders) {
    await row(nameOf(folder), async () => {
      const out = join(HOME, "certification", nameOf(folder));
      const { code, stdout, stderr } = await assistant(["certify", folder, "--json", "--out", out]);
      if (stdout === "") throw new Error(stderr.slice(-300));
      const { verdict, counts, results, error } = JSON.parse(stdout);
      if (verdict === undefined) throw new Error(error?.detail ?? stdout.slice(0, 300));
      const lacks = results.find(({ reason }: { reason: string | null }) => reason?.includes("apt install"));
      if (lacks !== undefined) return new NotHere(lacks.reason);
      const text = `${verdict}: ${counts.pass} passed, ${counts.warn} warnings`;
      const failed = results.filter(({ status }: { status: string }) => status === "fail" || status === "error");
      if (code !== 0) throw new Error(`${text}; ${failed.map(({ id }: { id: string }) => id).join(", ")}`);
      return text;
    });
  }
}

const nameOf = (folder: string) => folder.split("/").at(-1) ?? folder;
