import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../common/machine/remove-tree.ts";

/** Entries of the data folder that every start of an app changes. */
const CHANGED_BY_STARTS = ["logs", "work"];

/** The folders that an app may write to. */
export class AppFolders {
  readonly temporary: string;
  readonly sharedMemory: string;
  readonly home: string;
  readonly work: string;
  readonly elsewhere: string;

  constructor(folder: string) {
    this.temporary = join(folder, "tmp");
    this.sharedMemory = join(folder, "shm");
    this.home = join(folder, "home");
    this.work = join(folder, "work");
    this.elsewhere = join(folder, "elsewhere");
  }

  get all(): string[] {
    return [this.temporary, this.sharedMemory, this.home, this.work, this.elsewhere];
  }

  /** Those in which an app leaves what it does not remove. */
  get scratch(): string[] {
    return [this.temporary, this.sharedMemory, this.work];
  }

  /** Deletes what the app has written. */
  async empty(): Promise<void> {
    for (const folder of this.all) {
      await removeTree(folder);
      await mkdir(folder, { recursive: true });
    }
  }
}

/** Names and contents of the files that a daemon keeps in its data folder. */
export async function describeDataFolder(dataDir: string): Promise<string> {
  const names = (await readdir(dataDir)).filter((name) => !CHANGED_BY_STARTS.includes(name)).sort();
  const texts = names.map(async (name) => {
    return `${name}\n${await readFile(join(dataDir, name), "latin1").catch(() => "a folder")}`;
  });
  return (await Promise.all(texts)).join("\n");
}
