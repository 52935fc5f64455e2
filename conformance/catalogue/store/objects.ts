/** Texts and files by name, in a folder or a bucket; several processes may use it at the same time. A name is a path with `/`. */
export interface Objects {
  /** Where an object is, for people. */
  addressOf(name: string): string;
  /** The text of an object; null when there is none. */
  get(name: string): Promise<string | null>;
  /**
   * Writes an object, whole or not at all.
   * @param onlyNew writes it only when there is none of its name
   * @returns whether it was written
   */
  put(name: string, body: Uint8Array | string, onlyNew?: boolean): Promise<boolean>;
  /** Deletes an object; one that is not there is no error. */
  delete(name: string): Promise<void>;
  /** The names of the objects in a folder, without it. */
  list(folder: string): Promise<string[]>;
}
