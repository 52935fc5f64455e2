import { SYNTAX_CHECKERS } from "../../edit/apply/syntax.ts";
import { languageOfFile } from "../../edit/formats/language-name.ts";
import type { FileText, WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";

/** Characters. The parsers of larger files would keep the daemon from answering after each key. */
const MAX_TEXT = 200_000;
/** Browsers go on after errors in them. */
const FORGIVING = new Set(["css", "html"]);

/** Why a text does not parse, in a language that the gate of `edit` checks; none when it does. */
export async function syntaxFinding({ name, text }: FileText): Promise<WorkshopFinding[]> {
  const language = languageOfFile(name);
  if ((text.length > MAX_TEXT && language !== "python") || !Object.hasOwn(SYNTAX_CHECKERS, language)) return [];
  const [error] = (await SYNTAX_CHECKERS[language]?.(text)) ?? [];
  if (error === undefined) return [];
  return [{ id: "syntax", level: FORGIVING.has(language) ? "SHOULD" : "MUST", file: name, ...error }];
}

/** What does not parse in the files of an app, of which most stay as they are while one is typed in. */
export class SyntaxFindings {
  /** The text of each file that was parsed last, and what was found in it. */
  #known = new Map<string, { text: string; found: WorkshopFinding[] }>();

  async of(texts: ReadonlyMap<string, string>): Promise<WorkshopFinding[]> {
    const known = new Map<string, { text: string; found: WorkshopFinding[] }>();
    for (const [name, text] of texts) {
      const last = this.#known.get(name);
      known.set(name, last?.text === text ? last : { text, found: await syntaxFinding({ name, text }) });
    }
    this.#known = known;
    return [...known.values()].flatMap(({ found }) => found);
  }
}
