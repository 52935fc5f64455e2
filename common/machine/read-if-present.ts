import { readFile } from "node:fs/promises";

/** Reads a text file; null when there is none. @throws Error of the system for one that cannot be read */
export const readIfPresent = (file: string): Promise<string | null> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
