import { randomBytes } from "node:crypto";
import { realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { DaemonClient } from "../../../robot/rest/daemon-client.ts";

/** The editing of an app's folder in the dashboard of a daemon that `dev` has not started. */
export class RemoteWorkshop {
  readonly #client: Pick<DaemonClient, "request">;
  readonly #folder: string;
  readonly #secret: string;

  /** @param folder of the app, absolute */
  constructor(client: Pick<DaemonClient, "request">, folder: string, secret: string) {
    this.#client = client;
    this.#folder = folder;
    this.#secret = secret;
  }

  /**
   * Opens the folder, in place of any other; again when the daemon was started again. A file that only this user can make shows
   * the daemon that this user asks.
   * @throws WorkbenchError with the code that the daemon answers; Error of the file system
   */
  async open(): Promise<void> {
    const name = `.robot-edit-${randomBytes(12).toString("hex")}.secret`;
    const file = path.join(this.#folder, name);
    await writeFile(file, this.#secret, { flag: "wx", mode: 0o600 });
    try {
      const folder = await realpath(this.#folder);
      await this.#client.request("POST", "/api/workshop/open", { folder, secret_file: name });
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Closes it, unless another one was opened in its place. */
  async close(): Promise<void> {
    await this.#client.request("POST", "/api/workshop/close", { secret: this.#secret }).catch(() => undefined);
  }
}
