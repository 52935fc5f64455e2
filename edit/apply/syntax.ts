import type { PythonVersion } from "../../common/python/project/python-version.ts";
import { pythonSyntaxErrors } from "../../common/python/syntax-errors.ts";
import { type SyntaxFault, TOO_DEEP } from "../../common/syntax-fault.ts";
import { languageName } from "../formats/language-name.ts";
import type { Refusal } from "../refusal.ts";

/** Finds the syntax errors of a text, in order. @param python the version whose syntax a text of Python may use */
export type SyntaxChecker = (
  text: string,
  python?: PythonVersion,
) => readonly SyntaxFault[] | Promise<readonly SyntaxFault[]>;

/** Syntax checkers by language name in lower case. Other languages are not checked. */
export type SyntaxCheckers = Readonly<Record<string, SyntaxChecker | undefined>>;

/** The syntax checkers of this package. Those of other languages than Python load when a text needs them. */
export const SYNTAX_CHECKERS: SyntaxCheckers = {
  python: pythonSyntaxErrors,
  css: withStack(async (text) => (await import("./languages/css.ts")).cssSyntaxErrors(text)),
  html: withStack(async (text) => (await import("./languages/html.ts")).htmlSyntaxErrors(text)),
  json: withStack(async (text) => (await import("./languages/json.ts")).jsonSyntaxErrors(text)),
  toml: withStack(async (text) => (await import("./languages/toml.ts")).tomlSyntaxErrors(text)),
  yaml: withStack(async (text) => (await import("./languages/yaml.ts")).yamlSyntaxErrors(text)),
};

/** A checker that finds a text too deep for which its parser has no stack. */
function withStack(checker: SyntaxChecker): SyntaxChecker {
  return async (text) => {
    try {
      return await checker(text);
    } catch (error) {
      if (error instanceof RangeError) return [TOO_DEEP];
      throw error;
    }
  };
}

export const SYNTAX_POLICIES = ["refuse", "warn"] as const;
export type SyntaxPolicy = (typeof SYNTAX_POLICIES)[number];

export interface SyntaxOptions {
  /** The language of the text. Default: unknown. */
  lang?: string;
  /** What to do when the text parses and the result does not: refuse, or apply with a note. Default `refuse`. */
  syntax?: SyntaxPolicy;
  /** The version of Python whose syntax a text of Python may use. Default: the newest. */
  python?: PythonVersion | undefined;
  /** Syntax checkers by language. Default: those of this package. */
  syntaxCheckers?: SyntaxCheckers;
}

/**
 * The refusal of an edited text that no longer parses, and notes on one that did not parse before either.
 * @param advise says what to do about a text that no longer parses, when there is more to say than to ask again
 */
export async function checkSyntax(
  before: string,
  after: string,
  { lang = "", syntax = "refuse", python, syntaxCheckers = SYNTAX_CHECKERS }: SyntaxOptions,
  advise: (checker: SyntaxChecker) => Promise<string | undefined> = async () => undefined,
): Promise<{ refusal?: Refusal; notes: string[] }> {
  const forLanguage = await checkerFor(before, lang, syntaxCheckers);
  const checker = forLanguage && ((text: string) => forLanguage(text, python));
  const [error] = checker ? await checker(after) : [];
  if (checker === undefined || error === undefined) return { notes: [] };
  const { message, line } = error;
  const [earlier] = await checker(before);
  if (earlier !== undefined) {
    const already = `It did not parse before the edit either (${earlier.message}, at line ${earlier.line}).`;
    return { notes: [`The file does not parse: ${message}, at line ${line}. ${already}`] };
  }
  const hint = (await advise(checker)) ?? "Ask again for code that parses.";
  const reason = `${message}, at line ${line} of the edited file.`;
  if (syntax === "warn") return { notes: [`The file does not parse after the edit: ${reason} ${hint}`] };
  return { refusal: { code: "new-syntax-error", reason, hint, line }, notes: [] };
}

/** Go by the name of JSON, and are not read by its parser. */
const JSON_WITH_COMMENTS = /^json[c5]$/i;

/** The checker for a text. A text without a named language that declares and parses like Python is Python. */
async function checkerFor(text: string, lang: string, checkers: SyntaxCheckers): Promise<SyntaxChecker | undefined> {
  if (JSON_WITH_COMMENTS.test(lang.trim())) return undefined;
  const name = languageName(lang);
  // The name comes from an answer: it may be that of a property which every object has, such as `constructor`.
  if (name !== "") return Object.hasOwn(checkers, name) ? checkers[name] : undefined;
  const { python } = checkers;
  if (python === undefined || !/^\s*(def|class|import|from) /m.test(text)) return undefined;
  return (await python(text)).length === 0 ? python : undefined;
}
