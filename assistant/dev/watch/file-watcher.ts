/** Reports changed files. The implementation can be replaced: `dev` needs nothing else of it. */
export interface FileWatcher {
  close(): void;
}

/**
 * Starts to watch a folder.
 * @param onChange is called with the path of each file that was written, created, renamed or removed, relative to the
 *   folder, with "/" between folders; soon after the change, and possibly more than once for one change
 */
export type WatchFolder = (folder: string, onChange: (file: string) => void) => Promise<FileWatcher>;
