// An app that starts while its files are replaced sees the old ones or the new ones, never both.
import { join } from "node:path";
import type { Attack } from "../../attack.ts";
import { sleep } from "../../attack-tools.ts";
import { beginInstall, install, jobEnd, writeProject } from "../../install-tools.ts";

const MODULES = 300;
const ROUNDS = 3;
/** Imports all modules, which must have one version. */
const RUN = `
import importlib
versions = {importlib.import_module(f"patchwork.part_{i}").VERSION for i in range(${MODULES})}
assert len(versions) == 1, versions
`;

export default {
  title: "an app is started again and again while it is updated",
  dataFolder: "own",
  async run({ daemon, folder, row }) {
    const write = (version: number) =>
      writeProject(join(folder, "patchwork"), {
        name: "patchwork",
        version: String(version),
        modules: MODULES,
        run: RUN,
      });
    await install(daemon, await write(1));
    const ends: string[] = [];
    const refusals = new Set<string>();
    for (let version = 2; version < 2 + ROUNDS; version += 1) {
      const job = await beginInstall(daemon, await write(version));
      let isInstalling = true;
      const installed = jobEnd(daemon, job).finally(() => {
        isInstalling = false;
      });
      while (isInstalling) {
        const start = await daemon.post("/api/apps/start-app/patchwork");
        if (!start.ok) {
          refusals.add(((await start.json()) as { code: string }).code);
          await sleep(50);
          continue;
        }
        const { state, error } = await daemon.appIs(["done", "error"], 60_000);
        ends.push(state === "done" ? "done" : (String(error).split("\n").at(-1) ?? ""));
      }
      await installed;
    }
    const failed = ends.filter((end) => end !== "done");
    row("starts", `${ends.length}, ${failed.length} failed ${failed[0] ?? ""}`, "0 failed", failed.length === 0);
    const known = [...refusals].every((code) => ["app-busy", "app-already-running"].includes(code));
    row("refused starts", [...refusals].join(", ") || "none", "app-busy or none", known);
  },
} satisfies Attack;
