import { existsSync } from "node:fs";
import { pid as ownPid } from "node:process";
import { pythonScript } from "./python-script.ts";

const SCRIPT = pythonScript("subreaper.py", import.meta.url);

/**
 * The command that runs a tool and leaves no process that descends from it, however it ends (`subreaper.py`); without /proc
 * (not on Linux) the tool's own command.
 * @param python path of a Python
 */
export function withSubreaper(python: string, command: readonly string[]): readonly string[] {
  if (!existsSync("/proc/self/stat")) return command;
  return [python, "-I", "-S", "-c", SCRIPT, String(ownPid), ...command];
}
