import ignore, { type Ignore } from "ignore";

/** The rules of the `.gitignore` files of an app: those of a folder count in it, after those of the folders around it. */
export class GitignoreRules {
  readonly #levels: { folder: string; rules: Ignore }[] = [];

  /** @param always patterns that are ignored whatever the files say */
  constructor(always: readonly string[]) {
    this.#levels.push({ folder: "", rules: newRules().add([...always]) });
  }

  /**
   * Adds a `.gitignore`. Those of outer folders come first.
   * @param folder where it is: empty for the app's own folder, else with "/" at the end
   */
  add(folder: string, text: string): void {
    this.#levels.push({ folder, rules: newRules().add(text) });
  }

  /**
   * Whether a file or folder is ignored; in an ignored folder everything is.
   * @param path with "/" between folders, and at the end of a folder
   */
  ignores(path: string): boolean {
    const parts = path.match(/[^/]+\/?/g) ?? [];
    return parts.some((_, index) => this.#ignoresOne(parts.slice(0, index + 1).join("")));
  }

  #ignoresOne(path: string): boolean {
    let isIgnored = false;
    for (const { folder, rules } of this.#levels) {
      if (!path.startsWith(folder) || path === folder) continue;
      const found = rules.test(path.slice(folder.length));
      if (found.ignored) isIgnored = true;
      if (found.unignored) isIgnored = false;
    }
    return isIgnored;
  }
}

/** As git on Linux, where case counts. */
const newRules = (): Ignore => ignore({ ignorecase: false });
