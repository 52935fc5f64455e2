import { TOKEN } from "../tokens.ts";

export const PROFILES = ["vllm", "sglang", "openai"] as const;
/** A kind of server; `openai` is any other that speaks the same interface. */
export type ProfileName = (typeof PROFILES)[number];

/** `completions` sends rendered text, `chat` sends turns. */
export const APIS = ["completions", "chat"] as const;
export type Api = (typeof APIS)[number];

export interface Profile {
  /** Request fields that keep control tokens in the output and a stop string at its end. */
  fields: Readonly<Record<string, unknown>>;
  /** Whether it keeps or reports the stop string it stopped on. Otherwise only the token in the text shows a complete edit. */
  reportsStop: boolean;
}

const KEEP_TOKENS = { skip_special_tokens: false, spaces_between_special_tokens: false };

/** By the manuals: https://docs.vllm.ai, https://docs.sglang.ai. */
export const SERVER_PROFILES: Readonly<Record<ProfileName, Profile>> = {
  vllm: { fields: { ...KEEP_TOKENS, include_stop_str_in_output: true }, reportsStop: true },
  sglang: { fields: { ...KEEP_TOKENS, no_stop_trim: true }, reportsStop: true },
  openai: { fields: {}, reportsStop: false },
};

/** Stop strings of a request. A server that does not report its stop string runs to the model's end of turn. */
export function stopStrings(profile: Profile, explain: boolean): string[] {
  if (!profile.reportsStop) return [];
  return [explain ? TOKEN.turnEnd : TOKEN.editEnd];
}
