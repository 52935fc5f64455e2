import { createHash } from "node:crypto";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { ParsedEdit } from "../formats/edit.ts";
import type { Format } from "../formats/format.ts";
import type { EndOfAnswer } from "../formats/parse/end-of-answer.ts";
import { type ParsedResponse, parseResponse } from "../formats/parse/parse-response.ts";
import { catchRefusal, type Refusal } from "../refusal.ts";
import { refuseCorrection } from "./corrections.ts";
import { type ResolveOptions, resolveEdit } from "./resolve/resolve.ts";
import { type Splice, spliceText } from "./splice.ts";
import { checkSyntax, type SyntaxChecker, type SyntaxOptions } from "./syntax.ts";

export interface ApplyOptions extends ResolveOptions, SyntaxOptions, EndOfAnswer {
  /** Needed when the response is given as text. */
  format?: Format;
  /** `hashText` of the text that the model saw: the edit is refused when `current` is a different text. */
  baseHash?: string;
}

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
  const { baseHash } = options;
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
  const lang = options.lang || parsed.edit.lang;
  const correction = catchRefusal(() => refuseCorrection(explanation, current, result, lang));
  if (correction) return { status: "refused", refusal: correction, explanation };
  const advise = (checker: SyntaxChecker) => adviseConvention(current, parsed.edit, options, checker);
  const syntax = await checkSyntax(current, result, { ...options, lang }, advise);
  if (syntax.refusal) return { status: "refused", refusal: syntax.refusal, explanation };
  const notes = [...resolved.notes, ...syntax.notes];
  return { status: "applied", result, splices: resolved.splices, notes, explanation };
}

function parseText(current: string, response: string, { format, ...end }: ApplyOptions): ParsedResponse {
  if (format === undefined)
    throw new WorkbenchError("bad-request", "An answer given as text needs its format: wf, lc or sr.");
  return parseResponse(response, { ...end, format, current });
}

const BASE_CHANGED: Refusal = {
  code: "base-changed",
  reason: "The text is not the one that the model was shown.",
  hint: "Ask again with the text as it stands.",
};

/** What to do about ranges after which the text no longer parses: the other convention, when the text parses with it. */
async function adviseConvention(
  current: string,
  edit: ParsedEdit,
  options: ApplyOptions,
  checker: SyntaxChecker,
): Promise<string | undefined> {
  if (edit.format !== "lc") return undefined;
  const convention = options.convention === "slice" ? "inclusive" : "slice";
  const resolved = catchRefusal(() => resolveEdit(current, edit, { ...options, convention }));
  if ("code" in resolved || resolved.splices.length === 0) return undefined;
  if ((await checker(spliceText(current, resolved.splices))).length > 0) return undefined;
  return `Read as ${convention} ranges the edit gives code that parses: try the convention ${convention}.`;
}
