import { z } from "zod";
import { CONTROL_TOKENS } from "../../tokens.ts";

/** Request fields of the OpenAI interface that affect the answer. */
export const Generation = z.looseObject({
  model: z.string().default("replay"),
  stream: z.boolean().default(false),
  max_tokens: z.number().int().positive().default(16),
  stop: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .transform((stop) => (typeof stop === "string" ? [stop] : (stop ?? []))),
  skip_special_tokens: z.boolean().default(true),
  include_stop_str_in_output: z.boolean().default(false),
});
export type Generation = z.infer<typeof Generation>;

export interface Generated {
  /** The text in pieces of about a token. */
  pieces: string[];
  finish: "stop" | "length";
  /** The stop string that ended it; null when none did. */
  stop: string | null;
}

const CONTROL = new RegExp(`(${CONTROL_TOKENS.map((token) => token.replaceAll("|", "\\|")).join("|")})`);

/** Cuts text as a tokenizer might: control tokens whole, the rest in short pieces that never split a character. */
function piecesOf(text: string): string[] {
  return text
    .split(CONTROL)
    .flatMap((part) => (CONTROL_TOKENS.includes(part) ? [part] : (part.match(/.{1,4}/gsu) ?? [])));
}

/** A recorded answer as vLLM would generate it: with the request's stop strings, special tokens and limit applied. */
export function generate(response: string, request: Generation): Generated {
  const stops = request.stop.filter((stop) => response.includes(stop));
  const stop = stops.sort((a, b) => response.indexOf(a) - response.indexOf(b))[0] ?? null;
  const until = stop === null ? response.length : response.indexOf(stop);
  const kept = stop !== null && request.include_stop_str_in_output ? stop : "";
  const pieces = piecesOf(response.slice(0, until) + kept);
  const shown = request.skip_special_tokens ? pieces.filter((piece) => !CONTROL_TOKENS.includes(piece)) : [...pieces];
  if (pieces.length <= request.max_tokens) return { pieces: shown, finish: "stop", stop };
  return { pieces: shown.slice(0, request.max_tokens), finish: "length", stop: null };
}
