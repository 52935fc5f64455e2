import { lstat, rename } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { ifAbsent } from "../../common/machine/absent.ts";
import { readRegularFile } from "../../common/machine/read-if-present.ts";
import { jsonOrNull } from "../../robot/wire/validation/parse-json.ts";
import { CachedCatalogue } from "../apps/catalogue/hub-catalogue.ts";
import { ORIGINS_FILE, Origins } from "../apps/catalogue/origin-records.ts";
import { ownVenvsIn } from "../apps/catalogue/own-venvs.ts";
import { CrashRestartsFile } from "../apps/details/crash-restarts.ts";
import { stampFileOf, VenvStamp } from "../apps/install/environment/environment-stamp.ts";
import { StartupAppFile } from "../apps/startup/startup-app.ts";
import { RunningApp } from "../apps/stop/orphaned-app.ts";
import { VolumeFile } from "../audio/audio.ts";
import { TOKEN_PATTERN } from "../network/access-token.ts";

interface StateFile {
  file: string;
  /** Null for the access token. */
  schema: z.ZodType | null;
  /** What is lost without it, and what to do; a sentence. */
  lost: string;
}

/** The files in which a daemon keeps its state. */
async function stateFilesOf(dataDir: string, venv: string): Promise<StateFile[]> {
  const inDataDir = (name: string, schema: z.ZodType | null, lost: string): StateFile => ({
    file: path.join(dataDir, name),
    schema,
    lost,
  });
  const environments = [venv, ...(await ownVenvsIn(dataDir))];
  return [
    inDataDir(
      "restart-after-crash.json",
      CrashRestartsFile,
      "No app is started again after a crash: choose that again.",
    ),
    inDataDir("startup-app.json", StartupAppFile, "No app starts by itself: choose the startup app again."),
    inDataDir("audio.json", VolumeFile, "The volumes are those of a new robot: set them again."),
    inDataDir("running-app.json", RunningApp, "An app of an earlier daemon may still run: end it by hand."),
    inDataDir("catalogue.json", CachedCatalogue, "The hub is asked for its apps again."),
    inDataDir("access-token", null, "There is a new token: sign in again, with robot-daemon link."),
    ...environments.map((folder) => ({
      file: path.join(folder, ORIGINS_FILE),
      schema: Origins,
      lost: "Where its apps came from is unknown: install those again that are to be updated.",
    })),
    ...environments.map((folder) => ({
      file: stampFileOf(folder),
      schema: VenvStamp,
      lost: "The SDK is installed again.",
    })),
  ];
}

/**
 * Sets damaged state files aside, so that the daemon starts and nothing is lost: files that were cut or garbled, and folders,
 * pipes or devices in their places. The caller has opened the data folder.
 * @returns for each a sentence that names the file, its new name and what to do
 */
export async function setAsideDamagedFiles(dataDir: string, venv: string): Promise<string[]> {
  const found = await Promise.all((await stateFilesOf(dataDir, venv)).map(setAside));
  return found.filter((text) => text !== null);
}

async function setAside({ file, schema, lost }: StateFile): Promise<string | null> {
  const damage = await damageOf(file, schema);
  if (damage === null) return null;
  if (damage.isUnreadable) return `${file} cannot be read (${damage.what}). ${lost}`;
  const kept = await freeName(`${file}.damaged`);
  try {
    await rename(file, kept);
    return `${file} ${damage.what}; it is ${path.basename(kept)} now. ${lost}`;
  } catch (error) {
    return `${file} ${damage.what}, and cannot be renamed (${(error as NodeJS.ErrnoException).code}): remove it. ${lost}`;
  }
}

async function damageOf(file: string, schema: z.ZodType | null) {
  try {
    const text = await readRegularFile(file);
    if (schema === null ? TOKEN_PATTERN.test(text.trim()) : schema.safeParse(jsonOrNull(text)).success) return null;
    return { what: "is damaged", isUnreadable: false };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code === "EISDIR") return { what: "is a folder", isUnreadable: false };
    if (["EINVAL", "EFBIG", "ENXIO", "ELOOP"].includes(code ?? ""))
      return { what: "is no file of it", isUnreadable: false };
    return { what: code ?? message, isUnreadable: true };
  }
}

async function freeName(wanted: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if ((await lstat(name).catch(ifAbsent(null))) === null) return name;
  }
}
