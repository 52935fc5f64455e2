import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Unsubscribe } from "../../../common/emitter.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { FrameContent } from "../pictures/frame.ts";
import type { CameraSource } from "./camera-source.ts";

/** Milliseconds for which each picture of a folder is shown. */
export const PICTURE_MS = 200;
const IS_PICTURE = /\.(jpe?g|png)$/i;

/** A picture, or the pictures of a folder, sorted by name with numbers as numbers, in a loop. */
export class FileCameraSource implements CameraSource {
  readonly kind = "file";
  readonly #paths: readonly string[];
  readonly #clock: Clock;
  #since = 0;

  private constructor(paths: readonly string[], clock: Clock) {
    this.#paths = paths;
    this.#clock = clock;
  }

  /** @throws WorkbenchError `usage` when the file or folder does not exist, cannot be read or has no picture */
  static async open(file: string, clock: Clock): Promise<FileCameraSource> {
    const usage = (text: string) => new WorkbenchError("usage", `--camera ${file}: ${text}. Use a JPEG or PNG file.`);
    const refuse = (error: NodeJS.ErrnoException): never => {
      throw usage(reasonOf(error));
    };
    const found = await stat(file).catch(refuse);
    if (!found.isDirectory()) {
      if (!IS_PICTURE.test(file)) throw usage("this is not a picture");
      return new FileCameraSource([file], clock);
    }
    const names = (await readdir(file).catch(refuse)).filter((name) => IS_PICTURE.test(name));
    if (names.length === 0) throw usage("the folder has no pictures");
    const byNumber = new Intl.Collator("en", { numeric: true });
    return new FileCameraSource(
      names.sort(byNumber.compare).map((name) => path.join(file, name)),
      clock,
    );
  }

  start(): Unsubscribe {
    this.#since = this.#clock.now();
    return () => {};
  }

  async take(): Promise<FrameContent> {
    const count = Math.floor((this.#clock.now() - this.#since) / PICTURE_MS);
    return { kind: "file", path: this.#paths[count % this.#paths.length] as string };
  }
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === "ENOENT" ? "there is no such file or folder" : `it cannot be read (${code ?? message})`;
