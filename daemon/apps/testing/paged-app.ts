import { readFile } from "node:fs/promises";
import { addDistribution } from "./distribution.ts";

/**
 * Installs the app `paged` by hand: it runs until it is stopped, and names a page at a port of this machine.
 * @param sitePackages of the apps' environment
 */
export async function addPagedApp(sitePackages: string, port: number): Promise<void> {
  const obedient = await readFile("fixtures/apps/obedient/obedient/main.py", "utf8");
  const paged = `class Paged:\n    custom_app_url = "http://localhost:${port}/start?x=1"\n`;
  const main = obedient.replace("if __name__", `${paged}\n\nif __name__`);
  const files = { "paged/main.py": main, "paged/__init__.py": "" };
  await addDistribution(sitePackages, {
    name: "paged",
    version: "1.0.0",
    files,
    entryPoint: "paged = paged.main:Paged",
  });
}
