import { createHash } from "node:crypto";
import type { ParsedEdit } from "../formats/edit.ts";
import type { Format } from "../formats/format.ts";
import { type ParsedResponse, parseResponse } from "../formats/parse.ts";
import { catchRefusal, type Refusal } from "../refusal.ts";
import { syntaxGates } from "./gates.ts";
import { languageName, type Resolved, type ResolveOptions, resolveEdit } from "./resolve.ts";
import { type Splice, spliceText } from "./splice.ts";
import type { SyntaxGates } from "./syntax-gate.ts";

export interface ApplyOptions extends ResolveOptions {
  /** Needed when the response is given as text. */
  format?: Format;
  /** See `ParseOptions.finished`. */
  finished?: boolean;
  /** `hashText` of the text that the model saw: the edit is refused when `current` is another one. */
  baseHash?: string;
  /** Syntax checks by language. Default: Python's. */
  gates?: SyntaxGates;
}

/** All or nothing: the whole result with the spans that changed, word that nothing changes, or a refusal. */
export type EditResult =
  | { status: "applied"; result: string; splices: Splice[]; notes: string[]; explanation: string }
  | { status: "no-change"; explanation: string }
  | { status: "refused"; refusal: Refusal; explanation: string };

/** SHA-256 of a text's UTF-8 bytes, in hexadecimal digits. */
export function hashText(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Applies a model's answer to a text, exactly or not at all. Nothing is written anywhere.
 * @param current the text that the model was shown
 * @param response the answer's text (then `options.format` is needed) or what `parseResponse` made of it
 */
export async function applyEdit(
  current: string,
  response: string | ParsedResponse,
  options: ApplyOptions = {},
): Promise<EditResult> {
  const { format = "wf", finished = false, baseHash, gates = syntaxGates } = options;
  const parsed = typeof response === "string" ? parseResponse(response, { format, finished, current }) : response;
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
  const refusal = await syntaxRefusal(current, result, parsed.edit, options, gates);
  if (refusal) return { status: "refused", refusal, explanation };
  return { status: "applied", result, ...resolved, explanation };
}

const BASE_CHANGED: Refusal = {
  code: "base-changed",
  reason: "The text is not the one that the model was shown.",
  hint: "Ask again with the text as it stands.",
};

async function syntaxRefusal(
  current: string,
  result: string,
  edit: ParsedEdit,
  options: ApplyOptions,
  gates: SyntaxGates,
): Promise<Refusal | undefined> {
  const gate = gates[languageName(options.lang || edit.lang)];
  const [fault] = gate ? await gate(current, result) : [];
  if (gate === undefined || fault === undefined) return undefined;
  const other = options.convention === "slice" ? "inclusive" : "slice";
  const reading =
    edit.format === "lc"
      ? catchRefusal(() => resolveEdit(current, edit, { ...options, convention: other }))
      : undefined;
  const otherFits = reading !== undefined && !("code" in reading) && (await isClean(gate, current, reading));
  const hint = otherFits
    ? `Read as ${other} ranges the edit gives code without new errors: try the convention ${other}.`
    : "Ask again for code that parses.";
  return {
    code: "new-syntax-error",
    reason: `${fault.message} at line ${fault.line} of the edited file.`,
    hint,
    line: fault.line,
  };
}

async function isClean(gate: SyntaxGates[string], current: string, { splices }: Resolved): Promise<boolean> {
  if (gate === undefined || splices.length === 0) return false;
  return (await gate(current, spliceText(current, splices))).length === 0;
}
