import { randomInt } from "node:crypto";
import { dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { EXIT, type Terminal } from "../../assistant/terminal.ts";
import { defaultDataDir } from "../../daemon/options.ts";
import { matching, several, wholeNumber, words } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { annotationsOf } from "../outputs/annotations.ts";
import { showVerdict } from "../outputs/show.ts";
import { writeOutputs } from "../outputs/write-outputs.ts";
import { signingKey } from "../verdict/sign.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { certify } from "./certify.ts";
import { ALL_IDS } from "./ids.ts";
import { showProgress } from "./progress.ts";
import { textOf } from "./verify-command.ts";
import { readWaivers } from "./waivers.ts";

interface Given {
  out?: string;
  seed?: number;
  only: string[];
  thorough?: true;
  jobs: number;
  retries: number;
  waivers?: string;
  sign?: string;
  annotations?: true;
  json?: true;
}

const REQUIREMENT = matching(
  new RegExp(`^(${ALL_IDS.join("|")})$`),
  `the id of a requirement (${ALL_IDS.join(", ")})`,
  "--only LIFE-003",
);

/** A waiver that has expired, or that nothing needs. */
const STALE = 4;

const HELP = `
The app is installed into a copy of a clean Python environment and run there, about twenty times, each time with a
simulated robot and a daemon of its own. docs/certifying.md has every requirement and what the verdict's files are.
Exit codes: 0 conformant, 1 a MUST is not met, 2 the command line is off, 3 the harness, the daemon or the machine failed
(that says nothing about the app), 4 a waiver is stale.

Examples:
  robot-app-assistant certify .
  robot-app-assistant certify my_app --only LIFE-003 --seed 7
  robot-app-assistant certify my_app --waivers waivers.yaml --sign key.pem --annotations`;

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
    .option("--only <id>", "judge this requirement alone (repeatable)", several(REQUIREMENT), [])
    .option("--thorough", "the long forms: 60 s of running, 20 cycles, 400 random requests")
    .option("--jobs <number>", "scenes at a time", wholeNumber(1, 8, "--jobs 2"), 1)
    .option(
      "--retries <number>",
      "try a MUST that failed again; a pass then is a warning",
      wholeNumber(0, 3, "--retries 1"),
      0,
    )
    .option("--waivers <file>", "failures that somebody answers for (YAML)", words("a file", "--waivers waivers.yaml"))
    .option("--sign <key.pem>", "sign the verdict with an Ed25519 key", words("a file", "--sign key.pem"))
    .option("--annotations", "write GitHub's workflow commands as well")
    .option("--json", "write the verdict to standard output instead of the summary")
    .addHelpText("after", HELP)
    .action(async (path: string, given: Given) => {
      const verdict = await run(terminal, version, resolve(terminal.cwd, path), given);
      terminal.exit(exitCodeOf(verdict));
    });
}

async function run(terminal: Terminal, version: string, folder: string, given: Given): Promise<Verdict> {
  const only = given.only.length === 0 ? null : given.only;
  if (only !== null && given.sign !== undefined)
    throw new WorkbenchError("usage", "--only and --sign do not go together: a part is no certification.");
  const key = given.sign === undefined ? null : signingKey(await textOf(resolve(terminal.cwd, given.sign)), given.sign);
  const waivers =
    given.waivers === undefined ? [] : readWaivers(await textOf(resolve(terminal.cwd, given.waivers)), given.waivers);
  const asked = given.out === undefined ? null : outsideOf(folder, resolve(terminal.cwd, given.out));
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
      only,
      waivers,
      cache: join(defaultDataDir(terminal.env), "certification"),
      host,
      progress,
    });
    progress.close();
    const out = asked ?? join(dirname(folder), "certification", folderName(verdict));
    const files = await writeOutputs(verdict, out, key);
    if (given.json) terminal.out(`${JSON.stringify(verdict)}\n`);
    else terminal.out(showVerdict(verdict, { folder: relative(terminal.cwd, out) || ".", files }, terminal.colour));
    if (given.annotations)
      for (const line of annotationsOf(verdict, relative(terminal.cwd, folder))) terminal.out(`${line}\n`);
    return verdict;
  } catch (error) {
    // What is left says nothing about the app, whichever part of the workbench it comes from.
    if (terminal.signal.aborted || (error instanceof WorkbenchError && error.code === "bad-request")) throw error;
    throw new WorkbenchError("check-failed", `The certification broke: ${(error as Error).message}`, { cause: error });
  } finally {
    progress.close();
  }
}

/** @throws WorkbenchError `usage` for a folder inside of the app, which would be published with it */
function outsideOf(app: string, out: string): string {
  if (!relative(app, out).startsWith(".."))
    throw new WorkbenchError("usage", `--out ${out} is inside of the app and would be published with it.`);
  return out;
}

/** The app's name as one folder's: it comes from the app, and must not lead anywhere else. */
const folderName = ({ app }: Verdict): string => (app ?? "app").replace(/[^\w-]/g, "_");

function exitCodeOf({ counts, staleWaivers }: Verdict): number {
  if (counts.fail > 0) return EXIT.no;
  if (counts.error > 0) return EXIT.unavailable;
  return staleWaivers.length > 0 ? STALE : EXIT.done;
}
