import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { execa } from "execa";

/** Milliseconds after which a program that still runs counts as working: it may be the browser itself. */
const OPEN_MS = 5000;
/** A browser that was installed by snap sees nothing of the folder for temporary files. */
const SNAPS = "/snap/bin";

export class PageOpener {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #folders: string[] = [];

  /** @param env BROWSER names another program than the system's */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /**
   * Opens a page; returns whether that worked. A link with a fragment may have a secret in it, and other users of the machine see
   * the arguments of programs: the browser gets a file instead that only this user can read, and that leads to the link.
   */
  async open(url: string, openMs = OPEN_MS): Promise<boolean> {
    const standard = process.platform === "darwin" ? "open" : "xdg-open";
    const address = url.includes("#") ? await this.#writeRedirect(url) : url;
    const program = execa(this.#env.BROWSER || standard, [address], {
      env: { ...this.#env },
      extendEnv: false,
      stdio: "ignore",
      // The browser outlives this command.
      detached: true,
      cleanup: false,
      reject: false,
    });
    program.unref();
    const { failed } = await Promise.race([program, setTimeout(openMs, { failed: false }, { ref: false })]);
    return !failed;
  }

  /** Deletes the files; a browser that is still to read one shows that there is none. */
  async close(): Promise<void> {
    for (const folder of this.#folders.splice(0)) await rm(folder, { recursive: true, force: true });
  }

  /** @returns the address of the file, in a folder with the rights 0700 */
  async #writeRedirect(url: string): Promise<string> {
    const { HOME } = this.#env;
    const place = HOME !== undefined && existsSync(SNAPS) ? HOME : tmpdir();
    const folder = await mkdtemp(path.join(place, "robot-app-assistant-"));
    this.#folders.push(folder);
    const file = path.join(folder, "open.html");
    const target = JSON.stringify(url).replaceAll("<", "\\u003c");
    const page = `<!doctype html><meta charset="utf-8"><title>Dashboard</title><script>location.replace(${target})</script>\n`;
    await writeFile(file, page, { mode: 0o600 });
    return pathToFileURL(file).href;
  }
}
