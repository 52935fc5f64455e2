import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Bytes of the largest file that is read as a whole. */
const MAX_BYTES = 64_000_000;

/** Reads a text file as `readRegularBytes`. @throws Error of the system */
export const readRegularFile = async (file: string): Promise<string> => (await readRegularBytes(file)).toString("utf8");

/**
 * Reads a file. Never waits: a pipe or a device in its place is an error, as is a file of more than 64 MB.
 * @throws Error of the system
 */
export async function readRegularBytes(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw notReadable("EISDIR", `${file} is a folder`);
    if (!found.isFile()) throw notReadable("EINVAL", `${file} is a pipe or a device`);
    if (found.size > MAX_BYTES) throw notReadable("EFBIG", `${file} has ${found.size} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

const notReadable = (code: string, what: string): Error => Object.assign(new Error(`${code}: ${what}`), { code });

/** Reads a text file as `readRegularFile`; null when there is none. @throws Error of the system for one that cannot be read */
export const readIfPresent = (file: string): Promise<string | null> =>
  readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
