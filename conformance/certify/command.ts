import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import { EXIT, type Terminal } from "../../assistant/terminal.ts";
import { defaultDataDir } from "../../daemon/command-line/options.ts";
import { nonEmptyText, repeatable, textMatching, wholeNumber } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { addCatalogueOptions, type CatalogueFlags } from "../catalogue/command/catalogue-flags.ts";
import { certifyCatalogue } from "../catalogue/command/certify-catalogue.ts";
import { REDIS } from "../catalogue/command/worker-command.ts";
import { annotationsOf } from "../outputs/annotations.ts";
import { formatVerdict } from "../outputs/format-verdict.ts";
import { SIGNED_STATEMENT_FILE, writeOutputs } from "../outputs/write-outputs.ts";
import { type ReplayScript, readReplayScript } from "../test-runs/random-user/script.ts";
import { parseSigningKey } from "../verdict/signing.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { readText } from "../verdict/verify-command.ts";
import { certify } from "./certify.ts";
import { withCheckFailedCode } from "./check-failed-code.ts";
import { showProgress } from "./progress.ts";
import { readSecrets } from "./secrets.ts";
import { ALL_IDS, TIERS, type Tier } from "./tiers.ts";

interface CertifyFlags extends CatalogueFlags {
  catalogue?: string;
  queue?: string;
  tier: Tier;
  out?: string;
  seed?: number;
  only: string[];
  replay?: string;
  thorough?: true;
  jobs: number;
  retries: number;
  failFast?: true;
  network?: true;
  allowNetwork?: true;
  secret: string[];
  sandbox: boolean;
  scriptedProvider?: true;
  sign?: string;
  annotations?: true;
  json?: true;
}

const REQUIREMENT = textMatching(
  new RegExp(`^(${ALL_IDS.join("|")})$`),
  `the id of a requirement (${ALL_IDS.join(", ")})`,
  "--only LIFE-003",
);

/** The requirement that a replay judges. */
const RANDOM_USER = "RES-007";

/** Exit code besides those of all commands. */
const INCONCLUSIVE = 5;

/** Test runs at a time: most of their time they wait. */
const DEFAULT_JOBS = Math.min(4, 2 * availableParallelism());

/** The same for each app of a catalogue, of which several are certified at a time. */
const CATALOGUE_JOBS = 2;

const HELP = `
The app is installed into a copy of a clean Python environment and run there about twenty times, several test runs side
by side, with a daemon and a simulated robot. docs/certifying.md describes the verdict and its files,
docs/certifying-requirements.md every requirement.
Exit codes: 0 conformant, 1 a MUST failed, 2 wrong usage, 3 the harness, the daemon or the machine failed (that says nothing
about the app), 5 inconclusive: a MUST could not be judged.

Examples:
  robot-app-assistant certify
  robot-app-assistant certify my_app --only LIFE-003 --seed 7
  robot-app-assistant certify my_app --replay certification/my_app/replay.json
  robot-app-assistant certify my_app --sign key.pem --annotations
  robot-app-assistant certify --catalogue apps --tier short`;

/** `certify`: installs an app in a clean environment, runs it with simulated robots and judges it. */
export function certifyCommand(terminal: Terminal, version: string): Command {
  const command = new Command("certify")
    .description("Install an app in a clean environment, run it with simulated robots, and judge it.")
    .argument("[path_to_app]", "the app's folder, where its pyproject.toml is; unless given, the working directory")
    .addOption(
      new Option("--tier <name>", "short: files, install, import, and one start, run and stop")
        .choices(TIERS)
        .default("whole"),
    )
    .option(
      "--out <folder>",
      "where the verdict goes (default: certification/APP beside the app's folder)",
      nonEmptyText("a folder", "--out verdict"),
    )
    .option("--only <id>", "judge this requirement alone (repeatable)", repeatable(REQUIREMENT), [])
    .option("--network", "let the app use this machine's network; otherwise it reaches the daemon alone")
    .option(
      "--secret <name>",
      "give the app this variable of the environment (repeatable); its value is never written",
      repeatable(textMatching(/^[A-Za-z_]\w*$/, "the name of a variable", "--secret OPENAI_API_KEY")),
      [],
    )
    .option("--scripted-provider", "give the app a key, and a provider of chat and speech that answers from a script")
    .option("--sign <key.pem>", "sign the verdict with an Ed25519 key", nonEmptyText("a file", "--sign key.pem"))
    .option("--json", "write the verdict to standard output instead of the summary")
    .optionsGroup("How it is run:")
    .option(
      "--seed <number>",
      "make the random choices of another certification again; its verdict names the seed",
      wholeNumber(0, 2 ** 32 - 1, "--seed 7"),
    )
    .option(
      "--replay <file>",
      "play what a random user did when the app failed, and judge that alone",
      nonEmptyText("a file", "--replay certification/my_app/replay.json"),
    )
    .option("--thorough", "long forms: 60 s of running, 20 restarts, faults of all servos, 400 random requests")
    .option("--jobs <number>", "test runs at a time", wholeNumber(1, 8, "--jobs 2"), DEFAULT_JOBS)
    .option("--fail-fast", "end at the first MUST that failed; the verdict is not conformant")
    .addOption(new Option("--allow-network", "the same").hideHelp())
    .option("--no-sandbox", "run the app plainly, as on a machine without bubblewrap")
    .option(
      "--retries <number>",
      "try a MUST that failed again; when it passes then, it is flaky and the verdict inconclusive",
      wholeNumber(0, 3, "--retries 1"),
      0,
    )
    .option("--annotations", "write GitHub's workflow commands as well")
    .optionsGroup("Many apps:")
    .option(
      "--catalogue <apps>",
      "certify many apps: a folder of apps, a file with one app a line, or hub:WORDS",
      nonEmptyText("a folder, a file or hub:WORDS", "--catalogue apps"),
    )
    .option("--queue <url>", "have workers certify the catalogue: the Redis or Valkey with their queue", REDIS)
    .addHelpText("after", HELP);
  return addCatalogueOptions(command).action(async (path: string | undefined, given: CertifyFlags) => {
    if (given.catalogue !== undefined) return certifyMany(command, terminal, version, path, given);
    if (path === undefined && !existsSync(join(terminal.cwd, "pyproject.toml")))
      throw new WorkbenchError(
        "usage",
        `${terminal.cwd} has no pyproject.toml. Name the app's folder, or a catalogue of apps with --catalogue.`,
      );
    const verdict = await run(terminal, version, resolve(terminal.cwd, path ?? "."), given);
    terminal.setExitCode(exitCodeOf(verdict));
  });
}

/** Options that certify --catalogue takes, besides its own. */
const FOR_CATALOGUES = [
  "queue",
  "catalogue",
  "tier",
  "jobs",
  "json",
  ...addCatalogueOptions(new Command()).options.map((option) => option.attributeName()),
];

/** @throws WorkbenchError `usage` beside options of a single certification; as `certifyCatalogue` does */
function certifyMany(
  command: Command,
  terminal: Terminal,
  version: string,
  path: string | undefined,
  given: CertifyFlags,
) {
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  const alone = command.options.filter((option) => {
    return isGiven(option.attributeName()) && !FOR_CATALOGUES.includes(option.attributeName());
  });
  if (path !== undefined || alone.length > 0)
    throw new WorkbenchError(
      "usage",
      `--catalogue does not go together with ${path ?? alone.map(({ long }) => long).join(", ")}.`,
    );
  if (given.queue !== undefined && given.rate !== undefined)
    throw new WorkbenchError("usage", "--rate does not go together with --queue: give it to the workers.");
  const jobs = isGiven("jobs") ? given.jobs : given.tier === "short" ? 1 : CATALOGUE_JOBS;
  const { catalogue = "", tier, json = false } = given;
  return certifyCatalogue(terminal, version, { ...given, catalogue, tier, jobs, json });
}

async function run(terminal: Terminal, version: string, folder: string, given: CertifyFlags): Promise<Verdict> {
  const replay = await readReplay(terminal, given);
  const only = replay !== null ? [RANDOM_USER] : given.only.length === 0 ? null : given.only;
  if ((only !== null || given.tier !== "whole") && given.sign !== undefined)
    throw new WorkbenchError(
      "usage",
      `--${replay !== null ? "replay" : only === null ? "tier short" : "only"} and --sign do not go together: a part is no certification.`,
    );
  const key =
    given.sign === undefined ? null : parseSigningKey(await readText(resolve(terminal.cwd, given.sign)), given.sign);
  const outFolder = given.out === undefined ? null : outsideOf(folder, resolve(terminal.cwd, given.out));
  const secrets = readSecrets(given.secret, terminal.env);
  const seed = replay?.seed ?? given.seed ?? randomInt(2 ** 32);
  const host = { env: terminal.env, now: () => terminal.now().getTime(), signal: terminal.signal };
  const progress = showProgress(terminal.err, terminal.liveProgress, host.now);
  terminal.err(`seed ${seed}\n`);
  const certifyAndWrite = async (): Promise<Verdict> => {
    const verdict = await certify({
      folder,
      version,
      seed,
      tier: given.tier,
      thorough: given.thorough ?? false,
      replay,
      jobs: given.jobs,
      retries: given.retries,
      failFast: given.failFast ?? false,
      allowNetwork: (given.network ?? given.allowNetwork) === true,
      secrets,
      sandbox: given.sandbox,
      provider: given.scriptedProvider ?? false,
      only,
      cache: join(defaultDataDir(terminal.env), "certification"),
      host,
      progress,
    });
    progress.close();
    const out = outFolder ?? join(dirname(folder), "certification", folderName(verdict));
    const files = await writeOutputs(verdict, out, key, relative(terminal.cwd, folder) || ".");
    if (key !== null && !files.includes(SIGNED_STATEMENT_FILE))
      terminal.err(`The verdict is ${verdict.verdict}: there is nothing to sign.\n`);
    if (given.json) terminal.out(`${JSON.stringify(verdict)}\n`);
    else terminal.out(formatVerdict(verdict, { folder: relative(terminal.cwd, out) || ".", files }, terminal.colour));
    // GitHub reads workflow commands on both streams; with --json, the verdict is alone on standard output.
    const annotate = given.json ? terminal.err : terminal.out;
    if (given.annotations)
      for (const line of annotationsOf(verdict, relative(terminal.cwd, folder))) annotate(`${line}\n`);
    return verdict;
  };
  try {
    return await withCheckFailedCode("The certification failed", terminal.signal, certifyAndWrite);
  } finally {
    progress.close();
  }
}

/** @throws WorkbenchError `usage` beside options that the script decides, `bad-request` for a file that is no script */
async function readReplay({ cwd }: Terminal, { replay, only, seed }: CertifyFlags): Promise<ReplayScript | null> {
  if (replay === undefined) return null;
  if (only.length > 0 || seed !== undefined)
    throw new WorkbenchError(
      "usage",
      "--replay decides what is judged and with which seed: leave out --only and --seed.",
    );
  return readReplayScript(await readText(resolve(cwd, replay)), replay);
}

/** @throws WorkbenchError `usage` for a folder inside of the app, which would be published with it */
function outsideOf(app: string, out: string): string {
  if (!relative(app, out).startsWith(".."))
    throw new WorkbenchError("usage", `--out ${out} is inside of the app and would be published with it.`);
  return out;
}

/** A folder name from the app's name, which must not lead to another folder. */
const folderName = ({ app }: Verdict): string => (app ?? "app").replace(/[^\w-]/g, "_");

function exitCodeOf({ verdict }: Verdict): number {
  if (verdict === "conformant") return EXIT.ok;
  if (verdict === "error") return EXIT.unavailable;
  return verdict === "inconclusive" ? INCONCLUSIVE : EXIT.failed;
}
