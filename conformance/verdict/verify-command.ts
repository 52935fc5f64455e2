import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Command, Option } from "commander";
import { EXIT, type Terminal } from "../../assistant/terminal.ts";
import { nonEmptyText, repeatable, textMatching } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { assessStatement } from "./assess-statement.ts";
import { digestOfSource } from "./dir-hash.ts";
import { verifyInstalledWheel } from "./installed-wheel.ts";
import { openEnvelope, parseVerifyingKey } from "./signing.ts";
import { Statement, VERDICT_FILE } from "./statement.ts";

const HELP = `
Exit codes: 0 the signature is that of the key, and all that is required holds; 1 it does not; 2 a file is missing or
invalid.

Examples:
  robot-app-assistant verify certification/my_app/verdict.intoto.jsonl --key pub.pem
  robot-app-assistant verify verdict.intoto.jsonl --key pub.pem --app my_app --require conformant --require isolated`;

const REQUIREMENT = textMatching(/^(conformant|isolated)$/, "conformant or isolated", "--require conformant");
const HUB = textMatching(/^https?:\/\/\S+$/, "an address", "--hub-url https://huggingface.co");
const VERSION = textMatching(/^\d+\.\d+\.\d+/, "a version", "--suite 0.1.0");

interface VerifyFlags {
  key: string;
  app?: string;
  installed?: string;
  dataDir?: string;
  require: string[];
  suite?: string;
  hubUrl?: string;
  json?: true;
}

/** What `verify` finds. */
interface Verification {
  /** Null without a good signature. */
  statement: Statement | null;
  /** Why it is refused, as sentences. */
  problems: readonly string[];
}

/** `verify`: checks a signed verdict. @param version of the workbench */
export function verifyCommand(terminal: Terminal, version: string): Command {
  return new Command("verify")
    .description("Verify a signed verdict, and what it says about an app.")
    .argument("<verdict.intoto.jsonl>", "the signed verdict that certify --sign wrote")
    .requiredOption("--key <pub.pem>", "the public Ed25519 key of the signer", nonEmptyText("a file", "--key pub.pem"))
    .option(
      "--app <app>",
      "a folder, or the address of a space: its files must be those that were certified",
      nonEmptyText("a folder or an address", "--app my_app"),
    )
    .option(
      "--installed <app>",
      "an app that robot-daemon has installed: its wheel must be the one that was certified",
      nonEmptyText("the name of an app", "--installed my_app"),
    )
    .option("--data-dir <folder>", "the data folder of that robot-daemon", nonEmptyText("a folder", "--data-dir data"))
    .option(
      "--require <what>",
      "conformant: an app that is not, and an old suite are refused; isolated: the app ran under bubblewrap in a network of its own (repeatable)",
      repeatable(REQUIREMENT),
      [],
    )
    .option("--suite <version>", "the oldest suite that --require conformant accepts (default: this one)", VERSION)
    .addOption(new Option("--hub-url <url>", "the hub of the space").argParser(HUB))
    .option("--json", "write one JSON object with what the verdict says, and what is wrong with it")
    .addHelpText("after", HELP)
    .action(async (path: string, given: VerifyFlags) => {
      const verification = await verify(terminal, version, path, given);
      terminal.out(given.json === true ? asJson(verification) : asText(verification));
      terminal.setExitCode(verification.problems.length === 0 ? EXIT.ok : EXIT.failed);
    });
}

function asJson({ statement, problems }: Verification): string {
  const status = problems.length === 0 ? "verified" : "refused";
  if (statement === null) return `${JSON.stringify({ status, problems })}\n`;
  const { verdict, suite, startedAt, isolation, dirHash } = statement.predicate.robotApp;
  const said = { app: statement.subject[0]?.name, verdict, suite, startedAt, isolation, dirHash };
  return `${JSON.stringify({ status, ...said, problems })}\n`;
}

function asText({ statement, problems }: Verification): string {
  const lines: string[] = [];
  if (statement !== null) {
    const { verdict, suite, startedAt, isolation, dirHash } = statement.predicate.robotApp;
    lines.push(
      `The signature is good. ${statement.subject[0]?.name} is ${verdict} by suite ${suite} on ${startedAt.slice(0, 10)}, isolation: sandbox ${isolation.sandbox}, network ${isolation.network}; dirHash of its files: ${dirHash}`,
    );
  }
  return [...lines, ...problems].map((line) => `${line}\n`).join("");
}

/** Reads the verdict, and compares it with what the flags name. */
async function verify(terminal: Terminal, version: string, path: string, given: VerifyFlags): Promise<Verification> {
  const file = resolve(terminal.cwd, path);
  const key = parseVerifyingKey(await readText(resolve(terminal.cwd, given.key)), given.key);
  const payload = openEnvelope(await readText(file), key, path);
  if (payload === null) {
    const problem = `${path} is NOT signed by ${given.key}, or it was changed after it was signed.`;
    return { statement: null, problems: [problem] };
  }
  const statement = parseOrThrow(Statement, payload, path, {
    next: "It is signed, but says nothing about a robot app.",
  });
  const source = given.app === undefined ? null : await digestOfSource(given.app, terminal, given.hubUrl);
  const wheel =
    given.installed === undefined ? null : await verifyInstalledWheel(given.installed, terminal, given.dataDir);
  const problems = [
    ...(await compareWithVerdictFile(statement, file)),
    ...describeLeftOut(source?.leftOut ?? []),
    ...(wheel?.problems ?? []),
    ...assessStatement(statement, {
      conformant: given.require.includes("conformant"),
      isolated: given.require.includes("isolated"),
      suite: given.suite ?? version,
      dirHash: source?.dirHash ?? null,
      wheel: wheel?.digest ?? null,
    }),
  ];
  return { statement, problems };
}

const MOST_NAMED = 3;

/** Another installer than robot-daemon builds with these, too. */
function describeLeftOut(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = `${names.slice(0, MOST_NAMED).join(", ")}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ""}`;
  return [
    `No verdict covers ${shown}, with which pip would build other code: remove them, for example with git clean -xdf.`,
  ];
}

/** A verdict.json beside the signed statement must be the one that was signed. */
async function compareWithVerdictFile({ subject }: Statement, path: string): Promise<string[]> {
  const file = join(dirname(path), VERDICT_FILE);
  const expected = subject.find(({ name }) => name === VERDICT_FILE)?.digest.sha256;
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null || expected === undefined) return [];
  const isSame = createHash("sha256").update(text).digest("hex") === expected;
  return isSame ? [] : [`${basename(file)} beside it is NOT the verdict that was signed.`];
}

/** Reads a text file. @throws WorkbenchError `bad-request` */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new WorkbenchError("bad-request", `${file} cannot be read: ${(error as Error).message}`);
  }
}
