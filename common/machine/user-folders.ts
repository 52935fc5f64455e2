import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Variable and default of each base folder; https://specifications.freedesktop.org/basedir-spec. */
const BASE_FOLDERS = {
  data: ["XDG_DATA_HOME", ".local/share"],
  state: ["XDG_STATE_HOME", ".local/state"],
  config: ["XDG_CONFIG_HOME", ".config"],
  cache: ["XDG_CACHE_HOME", ".cache"],
} as const;

/**
 * The folder in which a program keeps one kind of its files: `$XDG_DATA_HOME/NAME`, by default `~/.local/share/NAME`, and
 * so on. Values that are not absolute paths are ignored, as the specification asks.
 */
export function userFolder(
  kind: keyof typeof BASE_FOLDERS,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const [variable, fallback] = BASE_FOLDERS[kind];
  const base = env[variable];
  return join(base !== undefined && isAbsolute(base) ? base : join(env.HOME || homedir(), fallback), name);
}
