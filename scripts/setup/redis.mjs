// The Redis of the tests: the system's, installed from Debian's packages where that is allowed.
import { spawnSync } from "node:child_process";
import { run, step } from "./steps.mjs";

const NAMES = ["redis-server", "valkey-server"];

/** Name of an installed Redis or Valkey, or null. */
export const findRedis = () => NAMES.find((name) => spawnSync(name, ["--version"]).status === 0) ?? null;

/** Finds Redis or, as root on Debian, installs it; otherwise prints the reason and returns null. */
export async function prepareRedis() {
  return step("redis", async () => {
    const found = findRedis();
    if (found) return found;
    try {
      await run("apt-get", ["update"]);
      await run("apt-get", ["install", "-y", "--no-install-recommends", "redis-server"]);
    } catch {
      process.stdout.write(
        "    No redis-server: the tests of the queue are skipped. Install it (apt install redis-server).\n",
      );
    }
    return findRedis();
  });
}
