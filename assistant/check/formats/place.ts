import { posix } from "node:path";

/**
 * The path of a file of the app relative to the working directory.
 * @param prefix the app's folder relative to the working directory
 */
export function placeOf(prefix: string, file: string): string {
  return posix.normalize(posix.join(prefix, file));
}
