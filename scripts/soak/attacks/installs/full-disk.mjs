// The disk gets full while an install is recorded: the version before stays, and the daemon hosts it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../bench/daemon.mjs";
import { beginInstall, install, jobEnd, projectFolder, versions, writeProject } from "../../install-tools.mjs";

/** Writes until the disk takes no more. @param {string} folder */
function fill(folder) {
  for (const size of [1_000_000, 10_000, 100]) {
    try {
      for (let file = 0; ; file += 1) writeFileSync(join(folder, `filler-${size}-${file}`), "x".repeat(size));
    } catch {
      // Full for files of this size.
    }
  }
}

/** @type {import("../../attack.mjs").Attack} */
export default {
  title: "the disk gets full during an install",
  dataFolder: "small-disk",
  async run({ daemon, dataDir, row }) {
    const { folder, remove } = projectFolder();
    try {
      const project = (/** @type {string} */ version) =>
        writeProject(join(folder, "kept_app"), { name: "kept_app", version, modules: 20 });
      const first = await install(daemon, project("1"));
      row("the first version", `${first.status}, ${first.error}`, "done", first.status === "done");
      const job = await beginInstall(daemon, project("2"));
      await until("the stage verify", 120_000, async () =>
        ["verify", "record"].includes((await daemon.get(`/api/apps/job-status/${job}`)).stage),
      );
      fill(dataDir);
      const { status, code } = await jobEnd(daemon, job);
      const seen = `${status}, ${code}, version ${(await versions(daemon)).kept_app}`;
      row("the second version", seen, "failed, disk-full, version 1", seen === "failed, disk-full, version 1");
      const started = await daemon.post("/api/apps/start-app/kept_app");
      row("a start of it", started.status, "200", started.status === 200);
    } finally {
      remove();
    }
  },
};
