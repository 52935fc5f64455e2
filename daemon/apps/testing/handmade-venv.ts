import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

export interface HandmadeVenv {
  /** A fresh folder that holds everything else. */
  root: string;
  venv: string;
  sitePackages: string;
  /** Puts an app of `fixtures/apps` into the environment, as an installer would. */
  add(app: string): Promise<void>;
  remove(): Promise<void>;
}

/** A Python environment in three files: the real interpreter, without the seconds that installers take. */
export async function handmadeVenv(python = "python3"): Promise<HandmadeVenv> {
  const ask = "import sys; print(sys.executable, '%d.%d' % sys.version_info[:2])";
  const { stdout } = await promisify(execFile)(python, ["-c", ask]);
  const [executable = "", version = ""] = stdout.trim().split(" ");
  const root = await mkdtemp(path.join(await realpath(tmpdir()), "robot-apps-"));
  const venv = path.join(root, "venv");
  const sitePackages = path.join(venv, "lib", `python${version}`, "site-packages");
  await mkdir(sitePackages, { recursive: true });
  await mkdir(path.join(venv, "bin"));
  await symlink(await realpath(executable), path.join(venv, "bin", "python"));
  await writeFile(path.join(venv, "pyvenv.cfg"), `home = ${path.dirname(await realpath(executable))}\n`);
  return {
    root,
    venv,
    sitePackages,
    add: (app) => addApp(sitePackages, app),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

async function addApp(sitePackages: string, app: string): Promise<void> {
  await symlink(path.resolve("fixtures/apps", app, app), path.join(sitePackages, app));
  const info = path.join(sitePackages, `${app}-1.0.0.dist-info`);
  await mkdir(info);
  await writeFile(
    path.join(info, "METADATA"),
    `Metadata-Version: 2.1\nName: ${app}\nVersion: 1.0.0\nSummary: A test\n`,
  );
  await writeFile(path.join(info, "entry_points.txt"), `[robot_apps]\n${app} = ${app}.main:App\n`);
}
