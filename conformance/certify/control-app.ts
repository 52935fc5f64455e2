import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { digestOf, isProjectFile } from "../../daemon/apps/install/fetch/digest.ts";
import { DEFAULT_DIALECT, DIALECTS, type Dialect } from "../../robot/dialects/dialects.ts";
import { freePort } from "../runner/ports.ts";

/** What the judged app has and uses of the robot besides its motion, so that the control app has and uses it, too. */
interface AppFeatures {
  page: boolean;
  sound: boolean;
  camera: boolean;
}

const FIXTURES = join(PACKAGE_FOLDER, "fixtures");
/** For each other dialect an app in a folder of its own. */
const CONTROL_APPS = join(FIXTURES, "control-apps");
/** As in the control apps: the public SDK's server listens at this host, our own decides by the robot. */
const PAGE_URL = /"http:\/\/(localhost|0\.0\.0\.0):8042"/;

/** What a program calls that uses the robot's microphone or speaker, or its camera; in any dialect. */
const SOUND_CALLS =
  /\b(start_recording|start_playing|get_audio_sample|push_audio_sample|play_sound|media\.audio|robot\.audio)\b/;
const CAMERA_CALLS = /\b(get_frame|get_frame_jpeg|media\.camera|look_at_image)\b/;
/** Files of an app that are read for that; more, or larger ones, are no code of a person. */
const MAX_FILES = 2000;
const MAX_BYTES = 500_000;

/** An app of a dialect that is known to meet every requirement. */
export const controlAppOf = ({ id }: Dialect): string => (id === DEFAULT_DIALECT.id ? "hello_robot" : `hello_${id}`);

function folderOf(dialect: Dialect): string {
  return join(dialect === DEFAULT_DIALECT ? join(FIXTURES, "apps") : CONTROL_APPS, controlAppOf(dialect));
}

/** The digest of the files of all control apps. */
export async function digestOfControlApps(): Promise<string> {
  return (await Promise.all(DIALECTS.map((dialect) => digestOf(folderOf(dialect))))).join(" ");
}

/**
 * Copies the control app of a dialect: its page has a port that is free, or is left out.
 * @param into an empty folder
 * @returns the copy's folder
 */
export async function copyControlApp(dialect: Dialect, features: AppFeatures, into: string): Promise<string> {
  const name = controlAppOf(dialect);
  const source = folderOf(dialect);
  const folder = join(into, name);
  await cp(source, folder, { recursive: true });
  const main = join(folder, name, "main.py");
  const url = features.page ? `"http://$1:${await freePort()}"` : "None";
  const text = (await readFile(main, "utf8"))
    .replace(PAGE_URL, url)
    .replace(/^SOUND = True$/m, `SOUND = ${features.sound ? "True" : "False"}`)
    .replace(/^CAMERA = True$/m, `CAMERA = ${features.camera ? "True" : "False"}`);
  await writeFile(main, text);
  return folder;
}

/** Whether the Python files of an app use sound and the camera, by the names of what they call. */
export async function mediaOf(folder: string): Promise<Pick<AppFeatures, "sound" | "camera">> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith(".py") && name.split("/").every((part) => isProjectFile(part)),
  );
  const texts = names.slice(0, MAX_FILES).map((name) => readFile(join(folder, name), "utf8").catch(() => ""));
  const code = (await Promise.all(texts)).map((text) => text.slice(0, MAX_BYTES));
  return { sound: code.some((text) => SOUND_CALLS.test(text)), camera: code.some((text) => CAMERA_CALLS.test(text)) };
}
