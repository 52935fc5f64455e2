import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/**
 * Makes a folder that is removed with all it contains when the test is over, also on a busy machine where processes of the test
 * still end. For tests and their `beforeEach`.
 * @param prefix of its name; one with a space or an accent shows where paths are not quoted
 * @returns its real path
 */
export function temporaryFolder(prefix: string): string {
  const folder = makeFolder(prefix);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/**
 * Makes a folder for all tests of a file or of a `describe`, outside of tests and hooks. It is removed after the last test and
 * after hooks that follow the call.
 * @param prefix of its name
 * @returns its real path
 */
export function sharedTemporaryFolder(prefix: string): string {
  const folder = makeFolder(prefix);
  afterAll(() => removeFolder(folder));
  return folder;
}

const makeFolder = (prefix: string): string => mkdtempSync(join(realpathSync(tmpdir()), prefix));
const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
