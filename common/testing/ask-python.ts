import { existsSync } from "node:fs";
import { execa } from "execa";

/** The Python of the tests' set-up; the system's Python is enough for scripts without dependencies. */
const PYTHON = existsSync(".venv/bin/python") ? ".venv/bin/python" : "python3";

/** Sends one JSON object a line to a Python script and returns the answers, in order. */
export async function askPython<T>(script: string, jobs: readonly unknown[]): Promise<T[]> {
  const input = jobs.map((job) => `${asciiJson(job)}\n`).join("");
  const { stdout } = await execa(PYTHON, [script], { input, maxBuffer: 1e9 });
  return stdout.split("\n").map((line) => JSON.parse(line) as T);
}

/** JSON in ASCII, so that lone surrogates and odd line breaks survive the pipe. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
