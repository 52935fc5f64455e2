import type { PythonVersion } from "../../common/python/project/python-version.ts";
import { SYNTAX_CHECKERS } from "../../edit/apply/syntax.ts";
import { languageOfFile } from "../../edit/formats/language-name.ts";
import { pythonOfProject } from "../../robot/project/python-of-app.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { FileText, WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";
import type { Files } from "../check/app/read-files.ts";
import { checkFiles } from "../check/check-app.ts";
import { rulesOfSettings } from "../check/settings.ts";
import { isOfAuthor } from "./folder-files.ts";

/** Characters. The parsers of larger files would keep the daemon from answering after each key. */
const MAX_TEXT = 200_000;
/** Browsers go on after errors in them. */
const FORGIVING = new Set(["css", "html"]);

/**
 * Why a text does not parse, in a language that the gate of `edit` checks; none when it does.
 * @param python the version whose syntax a text of Python may use
 */
export async function syntaxFinding({ name, text }: FileText, python: PythonVersion): Promise<WorkshopFinding[]> {
  const language = languageOfFile(name);
  if ((text.length > MAX_TEXT && language !== "python") || !Object.hasOwn(SYNTAX_CHECKERS, language)) return [];
  const [error] = (await SYNTAX_CHECKERS[language]?.(text, python)) ?? [];
  if (error === undefined) return [];
  return [{ id: "syntax", level: FORGIVING.has(language) ? "SHOULD" : "MUST", file: name, ...error }];
}

/** What does not parse in the files of an app, of which most stay as they are while one is typed in. */
export class SyntaxFindings {
  /** The text of each file that was parsed last, and what was found in it. */
  #known = new Map<string, { text: string; found: WorkshopFinding[] }>();
  #python: PythonVersion | undefined;

  async of(texts: ReadonlyMap<string, string>): Promise<WorkshopFinding[]> {
    const python = pythonOfProject(texts.get("pyproject.toml"));
    if (python !== this.#python) this.#known = new Map();
    this.#python = python;
    const known = new Map<string, { text: string; found: WorkshopFinding[] }>();
    for (const [name, text] of texts) {
      const last = this.#known.get(name);
      known.set(name, last?.text === text ? last : { text, found: await syntaxFinding({ name, text }, python) });
    }
    this.#known = known;
    return [...known.values()].flatMap(({ found }) => found);
  }
}

/**
 * What `check` finds in an app's files with changes, by the rules that its settings select, and what does not parse.
 * @param syntax is shared by the checks of an app
 */
export async function findingsWith(
  folder: string,
  kept: Files,
  changes: readonly FileText[],
  syntax: SyntaxFindings,
): Promise<WorkshopFinding[]> {
  const files = new Map([...kept, ...changes.map(({ name, text }): [string, string] => [name, text])]);
  const { rules, problems } = rulesOf(files);
  const { results } = await checkFiles(folder, files, rules);
  const found = results
    .filter(({ status }) => status === "fail" || status === "warn")
    .flatMap(({ id, level, findings }) => findings.map((finding) => ({ id, level, ...finding })));
  const places = new Set(found.map(({ file, line }) => `${file}:${line}`));
  const texts = new Map([...files].filter((file): file is [string, string] => file[1] !== null && isOfAuthor(file[0])));
  const broken = (await syntax.of(texts)).filter(({ file, line }) => !places.has(`${file}:${line}`));
  return [...broken, ...problems, ...found];
}

/** All rules where the settings are wrong, which is a finding: a person may be typing them. */
function rulesOf(files: Files) {
  try {
    return { rules: rulesOfSettings(files), problems: [] };
  } catch (error) {
    if (!(error instanceof WorkbenchError && error.code === "usage")) throw error;
    const finding = { id: "settings", level: "MUST" as const, file: "pyproject.toml", line: null };
    return { rules: undefined, problems: [{ ...finding, message: error.message }] };
  }
}
