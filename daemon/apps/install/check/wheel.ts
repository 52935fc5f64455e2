import path from "node:path";
import { z } from "zod";
import { cancelSignalOption, loadExeca } from "../../../../common/machine/load-execa.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { parseJson } from "../../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import { pythonEnvironment } from "../../start/python-environment.ts";
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

/**
 * Lists the files of a wheel by where an installer puts them; the folders of its `.data` folder are installation schemes:
 * https://packaging.python.org/specifications/binary-distribution-format
 */
const LIST_FILES = `
import base64, configparser, hashlib, json, os, sys, sysconfig, zipfile
purelib = sysconfig.get_path("purelib")
folders = {scheme: sysconfig.get_path(scheme) for scheme in ("purelib", "platlib", "scripts", "data")}
folders["headers"] = os.path.join(sys.prefix, "include")
def recorded(folder, name):
    return os.path.relpath(os.path.join(folder, name), purelib).replace(os.sep, "/")
files, entry_points, lines, seen = [], [], [], set()
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in wheel.namelist():
        if name.endswith("/"):
            continue
        # Installers do not agree on which of two files they write.
        if name in seen or ".." in name.split("/") or name.startswith("/") or "\\n" in name:
            sys.exit(f"{name!r} is in it twice, or leads out of it")
        seen.add(name)
        top, _, rest = name.partition("/")
        if not (top.endswith(".dist-info") and rest in ("RECORD", "WHEEL")):
            lines.append((os.fsencode(name), hashlib.sha256(wheel.read(name)).digest()))
        scheme, _, inside = rest.partition("/")
        data = top.endswith(".data") and scheme in folders
        file = recorded(folders[scheme], inside) if data else recorded(purelib, name)
        files.append(file)
        if file.endswith("-info/entry_points.txt"):
            entry_points.append(wheel.read(name).decode(errors="replace"))
        if rest == "entry_points.txt" and top.endswith(".dist-info"):
            points = configparser.ConfigParser(delimiters=("=",), strict=False, interpolation=None)
            points.optionxform = str
            points.read_string(wheel.read(name).decode())
            for group in ("console_scripts", "gui_scripts"):
                if points.has_section(group):
                    files.extend(recorded(folders["scripts"], command) for command in points.options(group))
digest = hashlib.sha256(b"".join(content.hex().encode() + b"  " + name + b"\\n" for name, content in sorted(lines))).hexdigest()
json.dump({
    "digest": digest,
    "contents": {os.fsdecode(name): base64.urlsafe_b64encode(content).decode().rstrip("=") for name, content in lines},
    "files": sorted(set(files)),
    "commandFolder": os.path.relpath(folders["scripts"], purelib).replace(os.sep, "/"),
    "entryPoints": entry_points,
    "standardLibrary": sorted(sys.stdlib_module_names),
}, sys.stdout)
`;

const TIMEOUT_MS = 30_000;
/** Characters of the list: about half a million files. */
const MAX_BUFFER = 64_000_000;

interface ReadWheelOptions extends Pick<InstallerParts, "venv" | "trustedPython"> {
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

/** Reads what a wheel would add to an environment. @throws WorkbenchError `app-invalid`; the signal's reason */
export async function readWheel(file: string, { env, signal, ...parts }: ReadWheelOptions): Promise<Wheel> {
  const execa = await loadExeca();
  const result = await execa(trustedPythonOf(parts), ["-I", "-c", LIST_FILES, file], {
    env: pythonEnvironment(env),
    extendEnv: false,
    stdin: "ignore",
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BUFFER,
    reject: false,
    ...cancelSignalOption(signal),
  });
  signal?.throwIfAborted();
  if (result.failed) {
    const why = result.stderr.trim().split("\n").at(-1) || result.shortMessage;
    throw new WorkbenchError("app-invalid", `The app's wheel ${path.basename(file)} cannot be read: ${why}`);
  }
  const what = "list of the wheel's files";
  return parseOrThrow(Wheel, parseJson(result.stdout, what), what);
}
