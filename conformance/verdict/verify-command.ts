import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import { EXIT, type Terminal } from "../../assistant/terminal.ts";
import { nonEmptyText } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { readVerdict } from "../report/read-verdict.ts";
import { isSignedBy, verifyingKey } from "./sign.ts";

const HELP = `
Exit codes: 0 the signature belongs to the verdict and the key, 1 it does not, 2 a file is missing or invalid.

Example:
  robot-app-assistant verify certification/my_app/verdict.json --key pub.pem`;

/** `verify`: checks the signature of a verdict. */
export function verifyCommand(terminal: Terminal): Command {
  return new Command("verify")
    .description("Verify the signature of a verdict.")
    .argument("<verdict.json>", "the verdict that certify wrote")
    .requiredOption("--key <pub.pem>", "the public Ed25519 key of the signer", nonEmptyText("a file", "--key pub.pem"))
    .option(
      "--signature <file>",
      "the signature (default: the verdict's name with .sig)",
      nonEmptyText("a file", "--signature verdict.json.sig"),
    )
    .addHelpText("after", HELP)
    .action(async (path: string, given: { key: string; signature?: string }) => {
      const read = (file: string) => readText(resolve(terminal.cwd, file));
      const text = await read(path);
      const verdict = readVerdict(text, path);
      const key = verifyingKey(await read(given.key), given.key);
      const signed = isSignedBy(JSON.parse(text), await read(given.signature ?? `${path}.sig`), key);
      const { app, verdict: word, digest } = verdict;
      terminal.out(
        signed
          ? `The signature is good. ${app ?? "The app"} is ${word}; digest of its content: ${digest}\n`
          : `The signature is NOT that of ${given.key}, or ${path} was changed after it was signed.\n`,
      );
      terminal.exit(signed ? EXIT.ok : EXIT.failed);
    });
}

/** Reads a text file. @throws WorkbenchError `bad-request` */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new WorkbenchError("bad-request", `${file} cannot be read: ${(error as Error).message}`);
  }
}
