import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";

/** Where a traceback leads to in an app. */
export interface TracedPlace {
  /** The file, absolute. */
  file: string;
  /** The line, from 1. */
  line: number;
  /** The traceback, from its first line to the error. */
  text: string;
}

const FRAME = /^\s*File "(.+)", line (\d+)/;
/** Longer tracebacks keep their beginning and their end, in characters. */
const MAX_LENGTH = 6000;

/**
 * Finds the innermost frame of the last traceback in a log that is in the app: in its folder, or in the copy of its package
 * that is installed (`site-packages/PACKAGE/...`).
 * @param files paths of the app's files, relative to its folder
 * @returns null when no frame is in the app
 */
export function placeInApp(log: string, app: string, files: readonly string[]): TracedPlace | null {
  const text = lastTraceback(log);
  if (text === null) return null;
  const frames = text.split("\n").flatMap((line) => {
    const [, path, number] = FRAME.exec(line) ?? [];
    const file = path === undefined ? undefined : fileOfApp(path, app, files);
    return file === undefined ? [] : [{ file: resolve(app, file), line: Number(number) }];
  });
  const innermost = frames.at(-1);
  return innermost === undefined ? null : { ...innermost, text };
}

function fileOfApp(path: string, app: string, files: readonly string[]): string | undefined {
  const inside = relative(realPath(app), realPath(path));
  const installed = /\/site-packages\/(.+)$/.exec(path)?.[1];
  return files.find((file) => file === inside || (installed !== undefined && file.replace(/^src\//, "") === installed));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** From the last `Traceback` to the line of the error, without what a log puts before each line. */
function lastTraceback(log: string): string | null {
  const lines = log.replaceAll("\r", "").split("\n");
  const start = lines.findLastIndex((line) => line.includes("Traceback (most recent call last):"));
  if (start < 0) return null;
  const prefix = lines[start]?.indexOf("Traceback") ?? 0;
  const own = lines.slice(start).map((line) => line.slice(prefix));
  const end = own.findIndex((line, index) => index > 0 && /^\S/.test(line));
  const text = own.slice(0, end < 0 ? own.length : end + 1).join("\n");
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH / 2)}\n...\n${text.slice(-MAX_LENGTH / 2)}`;
}
