import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Installs the app `paged` by hand: it runs until it is stopped, and names a page at a port of this machine.
 * @param sitePackages of the apps' environment
 */
export async function addPagedApp(sitePackages: string, port: number): Promise<void> {
  const app = path.join(sitePackages, "paged");
  const info = path.join(sitePackages, "paged-1.0.0.dist-info");
  await mkdir(app);
  await mkdir(info);
  const obedient = await readFile("fixtures/apps/obedient/obedient/main.py", "utf8");
  const paged = `class Paged:\n    custom_app_url = "http://localhost:${port}/start?x=1"\n`;
  await writeFile(path.join(app, "main.py"), obedient.replace("if __name__", `${paged}\n\nif __name__`));
  await writeFile(path.join(app, "__init__.py"), "");
  await writeFile(path.join(info, "METADATA"), "Metadata-Version: 2.1\nName: paged\nVersion: 1.0.0\n");
  await writeFile(path.join(info, "entry_points.txt"), "[robot_apps]\npaged = paged.main:Paged\n");
}
