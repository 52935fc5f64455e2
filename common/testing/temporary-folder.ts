import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Makes a folder that is removed with all it contains when the test is over, also on a busy machine where processes of the test
 * still end. For tests and their `beforeEach`.
 * @param prefix of its name; one with a space or an accent shows where paths are not quoted
 * @returns its real path
 */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), prefix));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));
  return folder;
}
