// An app whose package replaces another one's files would break every app that imports it.
import { join } from "node:path";
import type { Attack } from "../../attack.ts";
import { install, type Project, versions, writeProject } from "../../install-tools.ts";

/** Offers one more app in the built package than the project names. */
const SETUP = `
import pathlib
from setuptools import setup
from setuptools.command.egg_info import egg_info
class AddsAnEntryPoint(egg_info):
    def run(self):
        super().run()
        with pathlib.Path(self.egg_info, "entry_points.txt").open("a") as file:
            file.write("steady_app = hidden_app.main:App\\n")
setup(cmdclass={"egg_info": AddsAnEntryPoint})
`;

const CULPRITS: Project[] = [
  { name: "robot_sdk", distribution: "friendly-app" },
  { name: "numpy", distribution: "number-app" },
  { name: "json", distribution: "text-app" },
  { name: "wave", distribution: "robot-sdk" },
  { name: "steady_app", distribution: "other-steady-app" },
  { name: "hidden_app", distribution: "hidden-app", setup: SETUP },
];

export default {
  title: "packages with the modules of the SDK, of a dependency, of the standard library, and with apps of others",
  dataFolder: "own",
  async run({ daemon, folder, row }) {
    const before = JSON.stringify(await versions(daemon));
    for (const culprit of CULPRITS) {
      const { status, code, error } = await install(daemon, await writeProject(join(folder, "culprit"), culprit));
      const what = `package ${culprit.name} of ${culprit.distribution}`;
      row(what, `${status}, ${code}`, "failed, app-invalid", status === "failed" && code === "app-invalid");
      const isReason = /which belongs to|standard library|does not name|name that is reserved/.test(String(error));
      if (!isReason) row(what, String(error).slice(0, 60), "refused as a collision", false);
    }
    const same = JSON.stringify(await versions(daemon)) === before;
    row("installed apps", same ? "as before" : "changed", "as before", same);
    await daemon.post("/api/apps/start-app/brief_app");
    const { state, error } = await daemon.appIs(["done", "error"], 30_000);
    row("an app of the SDK", `${state}, ${error}`, "done, null", state === "done");
  },
} satisfies Attack;
