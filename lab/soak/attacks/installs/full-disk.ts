// The disk gets full while an install is recorded: the version before stays, and the daemon hosts it.
import { join } from "node:path";
import { until } from "../../../bench/daemon.ts";
import type { Attack } from "../../attack.ts";
import { beginInstall, fillDisk, install, jobEnd, versions, writeProject } from "../../install-tools.ts";

export default {
  title: "the disk gets full during an install",
  dataFolder: "small-disk",
  async run({ daemon, dataDir, folder, row }) {
    const project = (version: string) =>
      writeProject(join(folder, "kept_app"), { name: "kept_app", version, modules: 20 });
    const first = await install(daemon, await project("1"));
    row("the first version", `${first.status}, ${first.error}`, "done", first.status === "done");
    const job = await beginInstall(daemon, await project("2"));
    await until("the stage verify", 120_000, async () =>
      ["verify", "record"].includes((await daemon.get(`/api/apps/job-status/${job}`)).stage),
    );
    fillDisk(dataDir);
    const { status, code } = await jobEnd(daemon, job);
    const seen = `${status}, ${code}, version ${(await versions(daemon)).kept_app}`;
    row("the second version", seen, "failed, disk-full, version 1", seen === "failed, disk-full, version 1");
    const started = await daemon.post("/api/apps/start-app/kept_app");
    row("a start of it", started.status, "200", started.status === 200);
  },
} satisfies Attack;
