import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files and folders of a home folder from which something is run later, without the app. */
const STARTUP_PLACES = [
  ".bash_login",
  ".bash_profile",
  ".bashrc",
  ".profile",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  ".pam_environment",
  ".xprofile",
  ".xsession",
  ".ssh",
  ".config/autostart",
  ".config/environment.d",
  ".config/fish",
  ".config/systemd",
  ".config/plasma-workspace",
  ".local/bin",
  ".local/lib",
  ".local/share/systemd",
  ".local/share/dbus-1",
  "bin",
];
const MAX_FILES = 200;

/** The startup files of a home folder that programs besides the app use, with their sizes and times. */
export function startupFilesIn(home: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const place of STARTUP_PLACES) addFiles(found, home, place);
  return found;
}

function addFiles(found: Map<string, string>, home: string, name: string): void {
  if (found.size >= MAX_FILES) return;
  const status = statSync(join(home, name), { throwIfNoEntry: false });
  if (status === undefined) return;
  if (!status.isDirectory()) return void found.set(name, `${status.size} ${status.mtimeMs} ${status.ino}`);
  try {
    for (const each of readdirSync(join(home, name))) addFiles(found, home, `${name}/${each}`);
  } catch {
    // It may not be read.
  }
}
