import type { Statement } from "../../python/syntax-tree.ts";
import type { App } from "../app/app.ts";
import type { AppModule, AppModules } from "./app-modules.ts";
import { importedFrom } from "./scope.ts";

/** An import of a module that is not the app's. */
export interface ForeignImport {
  /** The full dotted name of the module. */
  name: string;
  /** Where it is. */
  file: string;
  line: number;
}

/** Errors whose handler makes an import optional. */
const IMPORT_ERRORS = /\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/;

/**
 * The modules of others that an app imports in its main module, and in its own modules that this one leads to. Imports that a
 * `try` or an `if` makes optional are left out.
 */
export function foreignImports({ main, modules }: App): ForeignImport[] {
  const name = main.path.replace(/^src\//, "").replace(/\.py$/, "").replaceAll("/", ".");
  const reached = new Set(ownModules(name, modules));
  const found: ForeignImport[] = [];
  for (const module of reached) {
    for (const { names, line } of importsIn(module.tree.body, module)) {
      const own = names.flatMap((name) => ownModules(name, modules));
      for (const each of own) reached.add(each);
      const [name] = names;
      if (own.length === 0 && name !== undefined && !name.startsWith("."))
        found.push({ name, file: module.file, line });
    }
  }
  return found;
}

/** The app's modules that the import of a name executes: the packages that it is in come first. */
function ownModules(name: string, modules: AppModules): AppModule[] {
  const parts = name.split(".");
  return parts.flatMap((_, index) => {
    const file = modules.fileOf(parts.slice(0, index + 1).join("."));
    return (file === undefined ? null : modules.at(file)) ?? [];
  });
}

/** An import: the module first, then what may be modules in it. */
interface Import {
  names: string[];
  line: number;
}

function importsIn(statements: readonly Statement[], module: AppModule): Import[] {
  return statements.flatMap((statement): Import[] => {
    const inside = (body: readonly Statement[]) => importsIn(body, module);
    const { line } = statement;
    switch (statement.kind) {
      case "Import":
        return statement.names.map(({ name }) => ({ names: [name], line }));
      case "ImportFrom": {
        const from = importedFrom(statement, module.scope.packageName);
        return [{ names: [from, ...statement.names.map(({ name }) => `${from}.${name}`)], line }];
      }
      case "If":
        // It may be there for one system, one version or a type checker.
        return [];
      case "Try": {
        const { body, handlers, orelse, finalbody } = statement;
        const isOptional = handlers.some(({ type }) => type === undefined || IMPORT_ERRORS.test(type.text));
        return [...(isOptional ? [] : inside(body)), ...inside(orelse), ...inside(finalbody)];
      }
      case "ClassDef":
      case "FunctionDef":
      case "With":
      case "While":
        return inside(statement.body);
      default:
        return [];
    }
  });
}
