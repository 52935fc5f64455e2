import type { PythonVersion } from "../../common/python/project/python-version.ts";
import { type Statement, walk } from "../../common/python/syntax-tree.ts";
import { type App, describeApp } from "./app/app.ts";
import { describeInstalledApp } from "./app/installed-app.ts";
import { readApp } from "./check-app.ts";
import { findAppClass } from "./python/app-class.ts";
import type { Finding, Requirement } from "./requirement.ts";
import { appClass } from "./rules/pkg-006-app-class.ts";
import { findingsOfStart, mainBlock } from "./rules/pkg-007-main-block.ts";

/** Text between three quotes, and comments: a name in them is no code. */
const NO_CODE = /("""|''')[\s\S]*?\1|#.*/g;

/** What binds a name of a module that stands nowhere in its code. */
const BINDS_NAMES = /\b(?:__getattr__|exec|globals|setattr|vars)\b/;

/**
 * Why the app in a folder is no app: the finding of PKG-006 where its main module does not parse, has no app class, or, in a dialect that
 * prescribes the form, none by the name in the entry point. Null where the class may come from anywhere: another module, a
 * name that is bound at run time, a module that is compiled.
 * @param python the version that will run it; the lowest that its requires-python admits unless given
 * @throws WorkbenchError as `readApp`; the signal's reason
 */
export async function appClassMissing(
  folder: string,
  signal: AbortSignal,
  python?: PythonVersion,
): Promise<string | null> {
  const app = describeApp(await readApp(folder, signal), python);
  if (app.main.status === "broken") return missingClass(app);
  return mayHaveClass(app) && mayHaveNamedClass(app) ? null : missingClass(app);
}

/** Milliseconds in which the code of an app that has ended is read: its end waits for it. */
const READ_MS = 60_000;

/**
 * Why an installed app ended without an error and without a robot: its main module has no class, or does not run it. Null
 * when neither is known.
 * @throws Error of the system when its files cannot be read; a TimeoutError after a minute
 */
export async function whyNeverRan(installed: Parameters<typeof describeInstalledApp>[0]): Promise<string | null> {
  const app = await describeInstalledApp(installed, AbortSignal.timeout(READ_MS));
  if (!mayHaveClass(app)) return missingClass(app);
  const found = findAppClass(app);
  const [finding] = "skip" in found ? [] : findingsOfStart(app, found);
  return textOf(mainBlock, finding);
}

async function missingClass(app: App): Promise<string | null> {
  const result = await appClass.check(app);
  return "skip" in result ? null : textOf(appClass, result[0]);
}

const textOf = ({ id }: Requirement, finding: Finding | undefined): string | null =>
  finding === undefined ? null : `${finding.message} (${id})`;

/** Whether the class that the entry point names, or another one, may be there when the main module runs. */
function mayHaveClass(app: App): boolean {
  const { main, files, entryPoint, dialect } = app;
  if (entryPoint === undefined || main.status !== "parsed" || !("skip" in findAppClass(app))) return true;
  // The daemon runs the module of the entry point; without that module, or in another place, nothing is known.
  if (!main.path.endsWith(`${entryPoint.module.replaceAll(".", "/")}.py`)) return true;
  if (main.value.body.some(hasStarImport) || mentions(main.text, entryPoint.className)) return true;
  const others = [...files].filter(([path]) => path.endsWith(".py") && path !== main.path);
  return others.some(([, text]) => text !== null && mentions(text, dialect.sdk.appClass));
}

/**
 * Whether the class that the main module defines is the one that the entry point names, or that name may be bound otherwise.
 * True for other dialects: their own daemons run the module, whatever the entry point names in it.
 */
function mayHaveNamedClass(app: App): boolean {
  const { main, entryPoint, dialect } = app;
  const found = findAppClass(app);
  if (!dialect.prescribesForm || main.status !== "parsed" || entryPoint === undefined || "skip" in found) return true;
  const bindsNames = main.value.body.some(hasStarImport) || BINDS_NAMES.test(main.text);
  const { className } = entryPoint;
  if (found.name !== className) return bindsNames || mentions(main.text, className);
  const { definition } = found;
  // A decorator, a metaclass or a base class may give it what it needs.
  return (
    !/^class\s+\w+\s*(?:\(\s*\))?\s*:/.test(definition.text) ||
    definition.body.some((each) => each.kind === "FunctionDef" && each.name === "wrapped_run")
  );
}

const mentions = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, "u").test(text.replace(NO_CODE, ""));

const hasStarImport = (statement: Statement): boolean =>
  [...walk(statement)].some((node) => node.kind === "ImportFrom" && node.names.some(({ name }) => name === "*"));
