import { randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import writeFileAtomic from "write-file-atomic";
import type { Terminal } from "../../assistant/terminal.ts";
import { defaultDataDir } from "../../daemon/options.ts";
import { wholeNumber, words } from "../../robot/command-line/values.ts";
import { certify } from "./certify.ts";
import { ALL_IDS } from "./ids.ts";
import { showProgress } from "./progress.ts";

interface Given {
  out?: string;
  seed?: number;
  only: string[];
  thorough?: true;
  jobs: number;
  retries: number;
}

/** `certify`: installs an app in a clean environment, runs it in simulated robots and judges it. */
export function certifyCommand(terminal: Terminal, version: string): Command {
  return new Command("certify")
    .description("Install an app in a clean environment, run it in simulated robots, and judge it.")
    .argument("<path_to_app>", "the app's folder, where its pyproject.toml is")
    .option(
      "--out <folder>",
      "where the verdict goes (default: certification/APP beside the app's folder)",
      words("a folder", "--out verdict"),
    )
    .option(
      "--seed <number>",
      "repeat a certification: its verdict names the seed",
      wholeNumber(0, 2 ** 32 - 1, "--seed 7"),
    )
    .option("--only <id>", "judge this requirement alone (repeatable)", requirement, [])
    .option("--thorough", "the long forms: 60 s of running, 20 cycles")
    .option("--jobs <number>", "scenes at a time", wholeNumber(1, 8, "--jobs 2"), 1)
    .option(
      "--retries <number>",
      "try a MUST that failed again; a pass then is a warning",
      wholeNumber(0, 3, "--retries 1"),
      0,
    )
    .action(async (path: string, given: Given) => {
      const folder = resolve(terminal.cwd, path);
      const seed = given.seed ?? randomInt(2 ** 32);
      const host = { env: terminal.env, now: () => terminal.now().getTime(), signal: terminal.signal };
      const progress = showProgress(terminal.err, terminal.colour, host.now);
      terminal.err(`seed ${seed}\n`);
      try {
        const verdict = await certify({
          folder,
          version,
          seed,
          thorough: given.thorough ?? false,
          jobs: given.jobs,
          retries: given.retries,
          only: given.only.length === 0 ? null : given.only,
          waivers: [],
          cache: join(defaultDataDir(terminal.env), "certification"),
          host,
          progress,
        });
        const out = resolve(terminal.cwd, given.out ?? join(dirname(folder), "certification", verdict.app ?? "app"));
        await mkdir(out, { recursive: true });
        await writeFileAtomic(join(out, "verdict.json"), `${JSON.stringify(verdict)}\n`);
        progress.close();
        for (const { id, status, findings, reason } of verdict.results)
          terminal.out(`${status} ${id} ${findings.map(({ message }) => message).join(" | ")} ${reason ?? ""}\n`);
        terminal.out(`${verdict.verdict} ${relative(terminal.cwd, out)}\n`);
      } finally {
        progress.close();
      }
    });
}

function requirement(id: string, before: string[]): string[] {
  if (ALL_IDS.includes(id)) return [...before, id];
  throw new InvalidArgumentError(
    `Use the id of a requirement, for example --only ${ALL_IDS[0]}. There are ${ALL_IDS.join(", ")}.`,
  );
}
