import type { App } from "../app/app.ts";
import { importedFrom } from "./scope.ts";

/** An import of a module that is not the app's. */
interface ForeignImport {
  /** The full dotted name of the module. */
  name: string;
  file: string;
  line: number;
}

/** Imports at the beginning of a line: those that a `try`, an `if` or a function makes optional are indented. */
const IMPORT = /^(?:import[ \t]+([^\n#;]+)|from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n#;]*))/gmu;
const NAMES = /[\p{L}_][\p{L}\p{N}_.]*/gu;

/**
 * The modules of others that an app imports in its main module, and in its own modules that this one leads to, whenever it
 * starts. It searches the text: parsing all modules of a large app takes seconds.
 */
export function thirdPartyImports(app: App): ForeignImport[] {
  const { main, modules, files } = app;
  const own = (name: string): string[] => {
    const parts = name.split(".");
    return parts.flatMap((_, index) => modules.fileOf(parts.slice(0, index + 1).join(".")) ?? []);
  };
  const reached = new Set(own(moduleName(main.path)));
  const found: ForeignImport[] = [];
  for (const file of reached) {
    const text = withoutLongStrings(files.get(file) ?? "");
    for (const match of text.matchAll(IMPORT)) {
      const line = text.slice(0, match.index).split("\n").length;
      for (const names of namesIn(match, file)) {
        const inside = names.flatMap(own);
        for (const each of inside) reached.add(each);
        const [name] = names;
        if (inside.length === 0 && name !== undefined && !name.startsWith(".")) found.push({ name, file, line });
      }
    }
  }
  return found;
}

/** A text of Python without what is between three quotes. As long as before, so that lines keep their numbers. */
export const withoutLongStrings = (text: string): string =>
  text.replace(/("""|''')[\s\S]*?\1/g, (long) => long.replace(/[^\n]/g, " "));

const moduleName = (file: string): string => {
  const path = file.replace(/^src\//, "").replace(/(?:\/__init__)?\.py$/, "");
  return path.replaceAll("/", ".");
};

/** What an import names: lists of a module, followed by what may be modules in it. */
function namesIn([, plain, dots = "", module = "", list = ""]: RegExpMatchArray, file: string): string[][] {
  const namesOf = (text: string) =>
    text.split(",").flatMap(
      (each) =>
        each
          .replaceAll(/[()\s]+/g, " ")
          .trim()
          .match(NAMES)?.[0] ?? [],
    );
  if (plain !== undefined) return namesOf(plain).map((name) => [name]);
  const name = moduleName(file);
  const packageName = file.endsWith("/__init__.py") ? name : name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const from = importedFrom({ level: dots.length, module }, packageName);
  return [[from, ...namesOf(list).map((each) => `${from}.${each}`)]];
}
