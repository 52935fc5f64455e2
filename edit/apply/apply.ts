import { createHash } from "node:crypto";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { ParsedEdit } from "../formats/edit.ts";
import type { Format } from "../formats/format.ts";
import { type ParsedResponse, parseResponse } from "../formats/parse/parse-response.ts";
import { catchRefusal, type Refusal } from "../refusal.ts";
import { type ResolveOptions, resolveEdit } from "./resolve/resolve.ts";
import { type Splice, spliceText } from "./splice.ts";
import { checkerFor, SYNTAX_CHECKERS, type SyntaxChecker, type SyntaxCheckers } from "./syntax.ts";

export interface ApplyOptions extends ResolveOptions {
  /** Needed when the response is given as text. */
  format?: Format;
  /** See `ParseOptions.finished`. */
  finished?: boolean;
  /** `hashText` of the text that the model saw: the edit is refused when `current` is a different text. */
  baseHash?: string;
  /** What to do when the text parses and the result does not: refuse, or apply with a note. Default `refuse`. */
  syntax?: SyntaxPolicy;
  /** Syntax checkers by language. Default: Python's. */
  syntaxCheckers?: SyntaxCheckers;
}

export const SYNTAX_POLICIES = ["refuse", "warn"] as const;
export type SyntaxPolicy = (typeof SYNTAX_POLICIES)[number];

/** An edit is applied completely (the new text and its changed spans), changes nothing, or is refused. */
export type EditResult =
  | { status: "applied"; result: string; splices: Splice[]; notes: string[]; explanation: string }
  | { status: "no-change"; explanation: string }
  | { status: "refused"; refusal: Refusal; explanation: string };

/** SHA-256 of a text's UTF-8 bytes, in hexadecimal digits. */
export function hashText(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Applies a model's answer to a text, exactly or not at all. Nothing is written anywhere. By default an edit is refused
 * when the text parses and the result does not; a text that did not parse before may still not parse, which `notes` says.
 * @param current the text that the model was shown
 * @param response the answer's text (then `options.format` is needed) or the result of `parseResponse`
 * @throws WorkbenchError `bad-request` for a text without its format
 */
export async function applyEdit(
  current: string,
  response: string | ParsedResponse,
  options: ApplyOptions = {},
): Promise<EditResult> {
  const { baseHash, syntaxCheckers = SYNTAX_CHECKERS } = options;
  const parsed = typeof response === "string" ? parseText(current, response, options) : response;
  const { explanation } = parsed;
  if (baseHash !== undefined && baseHash !== hashText(current)) {
    return { status: "refused", refusal: BASE_CHANGED, explanation };
  }
  if (parsed.kind === "refused") return { status: "refused", refusal: parsed.refusal, explanation };
  if (parsed.kind === "no-change") return { status: "no-change", explanation };
  const resolved = catchRefusal(() => resolveEdit(current, parsed.edit, options));
  if ("code" in resolved) return { status: "refused", refusal: resolved, explanation };
  if (resolved.splices.length === 0) return { status: "no-change", explanation };
  const result = spliceText(current, resolved.splices);
  const syntax = await checkSyntax(current, result, parsed.edit, options, syntaxCheckers);
  if (syntax.refusal) return { status: "refused", refusal: syntax.refusal, explanation };
  const notes = [...resolved.notes, ...syntax.notes];
  return { status: "applied", result, splices: resolved.splices, notes, explanation };
}

function parseText(current: string, response: string, { format, finished = false }: ApplyOptions): ParsedResponse {
  if (format === undefined)
    throw new WorkbenchError("bad-request", "An answer given as text needs its format: wf, lc or sr.");
  return parseResponse(response, { format, finished, current });
}

const BASE_CHANGED: Refusal = {
  code: "base-changed",
  reason: "The text is not the one that the model was shown.",
  hint: "Ask again with the text as it stands.",
};

/** The refusal of a result that no longer parses, and notes on one that did not parse before either. */
async function checkSyntax(
  current: string,
  result: string,
  edit: ParsedEdit,
  options: ApplyOptions,
  checkers: SyntaxCheckers,
): Promise<{ refusal?: Refusal; notes: string[] }> {
  const checker = await checkerFor(current, options.lang || edit.lang, checkers);
  const [error] = checker ? await checker(result) : [];
  if (checker === undefined || error === undefined) return { notes: [] };
  const { message, line } = error;
  const [earlier] = await checker(current);
  if (earlier !== undefined) {
    const before = `It did not parse before the edit either (${earlier.message}, at line ${earlier.line}).`;
    return { notes: [`The file does not parse: ${message}, at line ${line}. ${before}`] };
  }
  const other = options.convention === "slice" ? "inclusive" : "slice";
  const otherFits =
    edit.format === "lc" && (await parsesAfterEdit(checker, current, edit, { ...options, convention: other }));
  const hint = otherFits
    ? `Read as ${other} ranges the edit gives code that parses: try the convention ${other}.`
    : "Ask again for code that parses.";
  const reason = `${message}, at line ${line} of the edited file.`;
  if (options.syntax === "warn") return { notes: [`The file does not parse after the edit: ${reason} ${hint}`] };
  return { refusal: { code: "new-syntax-error", reason, hint, line }, notes: [] };
}

async function parsesAfterEdit(
  checker: SyntaxChecker,
  current: string,
  edit: ParsedEdit,
  options: ResolveOptions,
): Promise<boolean> {
  const resolved = catchRefusal(() => resolveEdit(current, edit, options));
  if ("code" in resolved || resolved.splices.length === 0) return false;
  return (await checker(spliceText(current, resolved.splices))).length === 0;
}
