import { TOKEN } from "../tokens.ts";

export const PROFILES = ["vllm", "sglang", "llamacpp", "docker-model-runner", "ollama", "openai"] as const;
/** A kind of server; `openai` is any other that speaks the same interface. */
export type ProfileName = (typeof PROFILES)[number];

/** `completions` sends rendered text, `chat` sends turns, `generate` is Ollama's own raw interface. */
export const WAYS = ["completions", "chat", "generate"] as const;
export type Way = (typeof WAYS)[number];

/** What a kind of server needs to be told, and what it can prove. */
export interface Profile {
  title: string;
  way: Way;
  /** Request fields that keep control tokens in the output and a stop string at its end. */
  fields: Readonly<Record<string, unknown>>;
  /** Whether it keeps or names the stop string it stopped on; else nothing but the token in the text proves the end. */
  provesStop: boolean;
  /** How to start it so that control tokens survive. */
  keepTokens: string;
  /** How to start it so that it takes the roles `history` and `current` with the family's template. */
  takeRoles: string;
}

const llama = { way: "completions", fields: {}, provesStop: false } as const;

/** https://docs.vllm.ai, https://docs.sglang.ai, llama.cpp's tools/server/README.md, https://docs.ollama.com/api. */
export const SERVER_PROFILES: Readonly<Record<ProfileName, Profile>> = {
  vllm: {
    title: "vLLM",
    way: "completions",
    fields: { skip_special_tokens: false, spaces_between_special_tokens: false, include_stop_str_in_output: true },
    provesStop: true,
    keepTokens: "nothing to start differently: requests carry skip_special_tokens: false",
    takeRoles: "vllm serve MODEL --chat-template assistant-conversation.jinja",
  },
  sglang: {
    title: "SGLang",
    way: "completions",
    fields: { skip_special_tokens: false, spaces_between_special_tokens: false, no_stop_trim: true },
    provesStop: true,
    keepTokens: "nothing to start differently: requests carry skip_special_tokens: false",
    takeRoles: "not possible, its chat roles are a closed list: use --way completions",
  },
  llamacpp: {
    title: "llama.cpp",
    ...llama,
    keepTokens: "llama-server --special",
    takeRoles: "llama-server --special --jinja --chat-template-file assistant-conversation.jinja",
  },
  "docker-model-runner": {
    title: "Docker Model Runner",
    ...llama,
    keepTokens: "docker model configure MODEL -- --special",
    takeRoles: "docker model configure MODEL -- --special --jinja --chat-template-file FILE",
  },
  ollama: {
    title: "Ollama",
    way: "generate",
    fields: {},
    provesStop: false,
    keepTokens: "a Modelfile whose base declares the tokens as plain added tokens, not as control tokens",
    takeRoles: "a Modelfile with a TEMPLATE for these roles, or --way generate, which needs none",
  },
  openai: {
    title: "a server of the OpenAI interface",
    way: "completions",
    fields: {},
    provesStop: false,
    keepTokens: "see its manual for keeping special tokens in the output",
    takeRoles: "see its manual for chat templates, or use --way completions",
  },
};

/** Where generation stops. Without proof of the stop the model's own end of turn has to do. */
export function stopsFor(profile: Profile, explain: boolean): string[] {
  if (!profile.provesStop) return [];
  return [explain ? TOKEN.turnEnd : TOKEN.editEnd];
}
