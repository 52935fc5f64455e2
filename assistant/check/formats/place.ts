import { posix } from "node:path";

/** A file of the app as the repository has it. */
export function placeOf(prefix: string, file: string): string {
  return posix.normalize(posix.join(prefix, file));
}
