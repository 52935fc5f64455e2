import { WorkbenchError } from "../../robot/wire/errors.ts";

/** Separators of other systems, and what ends a line or controls a terminal. */
const REFUSED = /[\\\p{Cc}]/u;

/** What file systems that ignore case and normal form make of a name. */
const folded = (name: string): string => name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");

/**
 * Throws where a name could stand for another file: by a backslash, which is a separator on some systems, by a control
 * character, or because another file or folder has the same name but for case or Unicode normal form.
 * @param names paths of files with `/` between their parts
 * @throws WorkbenchError `bad-request`, with the names
 */
export function assertDistinctNames(names: readonly string[]): void {
  const spellings = new Map<string, string>();
  for (const name of names) {
    if (REFUSED.test(name))
      throw new WorkbenchError(
        "bad-request",
        `${JSON.stringify(name)} has a line break, another control character or a backslash in its name: rename the file.`,
      );
    const parts = name.split("/");
    for (let count = 1; count <= parts.length; count += 1) {
      const path = parts.slice(0, count).join("/");
      const other = spellings.get(folded(path)) ?? path;
      if (other !== path)
        throw new WorkbenchError(
          "bad-request",
          `${other} and ${path} differ only in case or Unicode form, and are one file on some systems: rename one of them.`,
        );
      spellings.set(folded(path), path);
    }
  }
}
