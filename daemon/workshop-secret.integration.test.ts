import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../common/testing/temporary-folder.ts";
import { waitFor } from "../common/time/wait-for.ts";
import { WORKSHOP_SECRET_HEADER, WORKSHOP_SECRET_VARIABLE } from "../robot/wire/workshop/access-secret.ts";
import { createTestVenv } from "./apps/testing/test-venv.ts";

const SECRET = "a-secret-of-the-test";
const MAIN = `import os
import time

if __name__ == "__main__":
    print("ENVIRONMENT", sorted(os.environ.items()), flush=True)
    time.sleep(60)
`;
const PROJECT = '[project]\nname = "obedient"\n[project.entry-points.robot_apps]\nobedient = "obedient.main:main"\n';

test("the secret of the environment opens the workshop; apps do not inherit it, and a log does not show it", async () => {
  const folder = join(temporaryFolder("workshop-secret-"), "obedient");
  await mkdir(join(folder, "obedient"), { recursive: true });
  await writeFile(join(folder, "pyproject.toml"), PROJECT);
  await writeFile(join(folder, "obedient/__init__.py"), "");
  await writeFile(join(folder, "obedient/main.py"), "");
  const environment = await createTestVenv();
  onTestFinished(() => environment.remove());
  await environment.add("obedient", folder);

  const options = ["--sim", "--port", "0", "--no-wake-up-on-start", "--data-dir", environment.root];
  const daemon = spawn(
    process.execPath,
    ["bin/robot-daemon.mjs", ...options, "--venv", environment.venv, "--workshop", folder],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, [WORKSHOP_SECRET_VARIABLE]: SECRET } },
  );
  const exited = once(daemon, "exit");
  onTestFinished(async () => {
    daemon.kill("SIGTERM");
    await exited;
  });
  let output = "";
  for (const stream of [daemon.stdout, daemon.stderr])
    stream.on("data", (text) => {
      output += text;
    });
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
  await waitFor(60_000, "the daemon prints its address", () => address() !== undefined);

  const tried = await fetch(`${address()}/api/workshop/try`, {
    method: "POST",
    headers: { [WORKSHOP_SECRET_HEADER]: SECRET, "content-type": "application/json" },
    body: JSON.stringify({ files: [{ name: "obedient/main.py", text: MAIN }] }),
  });
  expect([tried.status, await tried.text()]).toEqual([200, expect.stringContaining("obedient")]);
  let log = "";
  await waitFor(60_000, "the app prints its environment", async () => {
    log = await (await fetch(`${address()}/api/apps/logs/obedient`)).text();
    return log.includes("ENVIRONMENT");
  });
  expect(log).toContain("ROBOT_");
  expect(log + output).not.toContain(SECRET);
  expect(output).toContain(`set ${WORKSHOP_SECRET_VARIABLE} before the start`);
});
