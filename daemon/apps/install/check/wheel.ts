import path from "node:path";
import { z } from "zod";
import { pythonScript } from "../../../../common/machine/python-script.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { parseJson } from "../../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import { askPython } from "../../start/run-python.ts";
import { type InstallerParts, trustedPythonOf } from "../tools/installer.ts";

/** What a wheel would add to an environment. Paths are relative to site-packages, as installers record them. */
const Wheel = z.object({
  /** `wave_back/main.py`; also the commands that an installer writes, `../../../bin/NAME`. */
  files: z.array(z.string()),
  /** Folder of the commands: `../../../bin`. */
  commandFolder: z.string(),
  /** Text of each `entry_points.txt` that an installed wheel would have, whichever metadata folder it is in. */
  entryPoints: z.array(z.string()),
  /**
   * `dirHash` of what it holds, as in-toto statements have it: of the names and the contents of its files, but not of RECORD,
   * which follows from them, and WHEEL, which names the builder.
   */
  digest: z.string(),
  /** The SHA-256 of each file that the digest covers, in base64url, by its name in the wheel. */
  contents: z.record(z.string(), z.string()),
  /** Top-level modules of the standard library of the environment's Python. */
  standardLibrary: z.array(z.string()),
});
export type Wheel = z.infer<typeof Wheel>;

const LIST_FILES = pythonScript("list_wheel.py", import.meta.url);
/** Characters of the list: about half a million files. */
const MAX_BUFFER = 64_000_000;

interface ReadWheelOptions extends Pick<InstallerParts, "venv" | "trustedPython"> {
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

/** Reads what a wheel would add to an environment. @throws WorkbenchError `app-invalid`, `python-missing`; the signal's reason */
export async function readWheel(file: string, { env, signal, ...parts }: ReadWheelOptions): Promise<Wheel> {
  const options = { env, signal, maxBuffer: MAX_BUFFER };
  const result = await askPython(trustedPythonOf(parts), ["-I", "-c", LIST_FILES, file], options);
  if (result.failed) {
    const why = result.stderr.trim().split("\n").at(-1) || result.shortMessage;
    throw new WorkbenchError("app-invalid", `The app's wheel ${path.basename(file)} cannot be read: ${why}`);
  }
  const what = "list of the wheel's files";
  return parseOrThrow(Wheel, parseJson(result.stdout, what), what);
}
