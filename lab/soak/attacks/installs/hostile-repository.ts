// The assistant reads folders of strangers: nothing in them runs, and nothing in them makes it hang or end with a stack trace.
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../attack.ts";
import { timed } from "../../attack-tools.ts";
import { writeProject } from "../../install-tools.ts";

const COMMANDS = [["check"], ["check", "--fix", "--yes"]];

/** Configuration of git that runs a program in whoever asks for the state of the folder. */
const CONFIG = (program: string) => `[core]
	repositoryformatversion = 0
	fsmonitor = ${program}
	hooksPath = .git/own-hooks
	sshCommand = ${program}
[filter "x"]
	clean = ${program}
	smudge = ${program}
`;

/** @param marker file that whatever runs leaves behind */
function makeHostile(app: string, marker: string) {
  const program = join(app, "program.sh");
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
  spawnSync("git", ["init", "--quiet", app]);
  writeFileSync(join(app, ".git/config"), CONFIG(program));
  mkdirSync(join(app, ".git/own-hooks"));
  for (const hook of ["pre-commit", "post-checkout", "post-index-change"])
    writeFileSync(join(app, ".git/own-hooks", hook), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
  writeFileSync(join(app, ".gitattributes"), "* filter=x\n");
  symlinkSync("/etc/passwd", join(app, "README.md"));
  symlinkSync("loop", join(app, "loop"));
  symlinkSync(app, join(app, "itself"));
  spawnSync("mkfifo", [join(app, "style.css")]);
  writeFileSync(join(app, "huge.py"), "");
  truncateSync(join(app, "huge.py"), 5_000_000_000);
  writeFileSync(join(app, "nested.py"), `x = ${"(".repeat(50_000)}${")".repeat(50_000)}\n`);
  mkdirSync(join(app, ...Array.from({ length: 500 }, () => "deep")), { recursive: true });
}

export default {
  title: "a hostile repository",
  async run({ folder, row }) {
    const app = await writeProject(join(folder, "my_app"), { name: "my_app" });
    const marker = join(folder, "ran");
    makeHostile(app, marker);
    for (const command of COMMANDS) {
      let ended: SpawnSyncReturns<string> | undefined;
      const args = ["bin/robot-app-assistant.mjs", ...command, app];
      const ms = await timed(async () => {
        ended = spawnSync(process.execPath, args, {
          encoding: "utf8",
          timeout: 120_000,
          env: { ...process.env, HF_TOKEN: "hf_x" },
        });
      });
      const text = `${ended?.stdout}${ended?.stderr}`;
      const isTold = ended?.status !== null && !/^\s+at .*:\d+:\d+/m.test(text);
      row(
        command.join(" "),
        `exit code ${ended?.status}, ${(ms / 1000).toFixed(1)} s`,
        "told within 60 s",
        isTold && ms <= 60_000,
      );
    }
    const ran = existsSync(marker);
    row("programs of the repository", ran ? "ran" : "none ran", "none ran", !ran);
  },
} satisfies Attack;
