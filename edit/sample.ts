import { z } from "zod";
import { parseOrThrow } from "../robot/wire/validation/parse-or-throw.ts";

const language = z.string().regex(/^[^\r\n`]*$/, "one line without backticks, because it follows the opening fence");

/** One version of the code (spec 2.2). With an empty `lang` the fence has no name. */
export const CodeItem = z.object({ type: z.literal("code"), lang: language, code: z.string() });

/**
 * An assistant-conversation sample (spec 2.2): older versions, oldest first, the current code, an instruction ("" means
 * none). `loc` marks a target area in `current.code`, counted in Unicode code points: a cursor, or
 * `[start, end]` of a selection.
 */
export const Sample = z.object({
  history: z.array(CodeItem),
  current: CodeItem,
  user: z.string(),
  loc: z.union([z.int().min(0), z.tuple([z.int().min(0), z.int().min(0)])]).nullish(),
});

export type CodeItem = z.infer<typeof CodeItem>;
export type Sample = z.infer<typeof Sample>;

/** One chat turn. The assistant-conversation prompt adds the roles `history` and `current` to the usual ones. */
export const ChatMessage = z.object({
  role: z.enum(["system", "history", "current", "user", "assistant"]),
  content: z.string(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/**
 * Validates a sample from outside.
 * @throws WorkbenchError `bad-request` with the item and the field
 */
export function parseSample(value: unknown): Sample {
  return parseOrThrow(Sample, value, "sample", {
    next:
      'It needs {"history": [code item...], "current": code item, "user": text}, a code item being ' +
      '{"type": "code", "lang": "python", "code": "..."}.',
  });
}
