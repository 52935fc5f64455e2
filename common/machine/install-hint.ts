import { existsSync } from "node:fs";

/** Package managers by the file that shows them, with the names of what the programs need. */
const MANAGERS = [
  { file: "/usr/bin/apt-get", run: "apt install", python: "python3 python3-venv", git: "git", chromium: "chromium" },
  { file: "/usr/bin/dnf", run: "dnf install", python: "python3", git: "git", chromium: "chromium" },
  { file: "/usr/bin/pacman", run: "pacman -S", python: "python", git: "git", chromium: "chromium" },
  { file: "/sbin/apk", run: "apk add", python: "python3", git: "git", chromium: "chromium" },
  { file: "/opt/homebrew/bin/brew", run: "brew install", python: "python", git: "git", chromium: "chromium" },
  { file: "/usr/local/bin/brew", run: "brew install", python: "python", git: "git", chromium: "chromium" },
] as const;

const NAMES = { python: "Python 3.10 or newer with its venv module", git: "git", chromium: "Chromium" };

/**
 * How a person installs a program on this system: a command of its package manager, else the program's name.
 * @param exists whether a file is there
 */
export function installHint(what: keyof typeof NAMES, exists = existsSync): string {
  const manager = MANAGERS.find(({ file }) => exists(file));
  return manager === undefined ? `install ${NAMES[what]}` : `${manager.run} ${manager[what]}`;
}
