import { createHash } from "node:crypto";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { ParsedEdit } from "../formats/edit.ts";
import type { Format } from "../formats/format.ts";
import { type ParsedResponse, parseResponse } from "../formats/parse.ts";
import { catchRefusal, type Refusal } from "../refusal.ts";
import { syntaxGates } from "./gates.ts";
import { languageName, type ResolveOptions, resolveEdit } from "./resolve.ts";
import { type Splice, spliceText } from "./splice.ts";
import type { SyntaxGate, SyntaxGates } from "./syntax-gate.ts";

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
 * @throws WorkbenchError `bad-request` for a text without its format
 */
export async function applyEdit(
  current: string,
  response: string | ParsedResponse,
  options: ApplyOptions = {},
): Promise<EditResult> {
  const { baseHash, gates = syntaxGates } = options;
  const parsed = typeof response === "string" ? read(current, response, options) : response;
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

function read(current: string, response: string, { format, finished = false }: ApplyOptions): ParsedResponse {
  if (format === undefined)
    throw new WorkbenchError("bad-request", "An answer given as text needs its format: wf, lc or sr.");
  return parseResponse(response, { format, finished, current });
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
  const gate = await gateFor(current, options.lang || edit.lang, gates);
  const [fault] = gate ? await gate(current, result) : [];
  if (gate === undefined || fault === undefined) return undefined;
  const { message, line } = fault;
  const other = options.convention === "slice" ? "inclusive" : "slice";
  const otherFits = edit.format === "lc" && (await isClean(gate, current, edit, { ...options, convention: other }));
  const hint = otherFits
    ? `Read as ${other} ranges the edit gives code without new errors: try the convention ${other}.`
    : "Ask again for code that parses.";
  return { code: "new-syntax-error", reason: `${message}, at line ${line} of the edited file.`, hint, line };
}

/** The gate of a language. Where nobody names one, a text that declares and parses like Python is Python. */
async function gateFor(current: string, lang: string, gates: SyntaxGates): Promise<SyntaxGate | undefined> {
  if (languageName(lang) !== "") return gates[languageName(lang)];
  const { python } = gates;
  if (python === undefined || !/^\s*(def|class|import|from) /m.test(current)) return undefined;
  return (await python("", current)).length === 0 ? python : undefined;
}

async function isClean(gate: SyntaxGate, current: string, edit: ParsedEdit, options: ResolveOptions): Promise<boolean> {
  const resolved = catchRefusal(() => resolveEdit(current, edit, options));
  if ("code" in resolved || resolved.splices.length === 0) return false;
  return (await gate(current, spliceText(current, resolved.splices))).length === 0;
}
