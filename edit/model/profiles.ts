import { TOKEN } from "../tokens.ts";

export const PROFILES = ["vllm", "sglang", "llamacpp", "docker-model-runner", "ollama", "openai"] as const;
/** A kind of server; `openai` is any other that speaks the same interface. */
export type ProfileName = (typeof PROFILES)[number];

/** `completions` sends rendered text, `chat` sends turns, `generate` is Ollama's raw API. */
export const APIS = ["completions", "chat", "generate"] as const;
export type Api = (typeof APIS)[number];
/** With `ollama-chat`, Ollama's own chat, for normal chats: its OpenAI interface takes no context size. */
export type RequestApi = Api | "ollama-chat";

export interface Profile {
  title: string;
  api: Api;
  /** Request fields that keep control tokens in the output and a stop string at its end. */
  fields: Readonly<Record<string, unknown>>;
  /** Whether it keeps or reports the stop string it stopped on. Otherwise only the token in the text shows a complete edit. */
  reportsStop: boolean;
  /** How to start it so that control tokens reach the client. */
  keepTokens: string;
  /** How to start it so that it accepts the roles `history` and `current`, with the chat template of the model family. */
  acceptRoles: string;
}

const LLAMA_CPP = { api: "completions", fields: {}, reportsStop: false } as const;

/** By the manuals: https://docs.vllm.ai, https://docs.sglang.ai, llama.cpp's tools/server/README.md, https://docs.ollama.com/api. */
export const SERVER_PROFILES: Readonly<Record<ProfileName, Profile>> = {
  vllm: {
    title: "vLLM",
    api: "completions",
    fields: { skip_special_tokens: false, spaces_between_special_tokens: false, include_stop_str_in_output: true },
    reportsStop: true,
    keepTokens: "no change needed: requests carry skip_special_tokens: false",
    acceptRoles: "vllm serve MODEL --chat-template assistant-conversation.jinja",
  },
  sglang: {
    title: "SGLang",
    api: "completions",
    fields: { skip_special_tokens: false, spaces_between_special_tokens: false, no_stop_trim: true },
    reportsStop: true,
    keepTokens: "no change needed: requests carry skip_special_tokens: false",
    acceptRoles: "not possible, its chat roles are a closed list: use --api completions",
  },
  llamacpp: {
    title: "llama.cpp",
    ...LLAMA_CPP,
    keepTokens: "llama-server --special",
    acceptRoles: "llama-server --special --jinja --chat-template-file assistant-conversation.jinja",
  },
  "docker-model-runner": {
    title: "Docker Model Runner",
    ...LLAMA_CPP,
    keepTokens: "docker model configure MODEL -- --special",
    acceptRoles: "docker model configure MODEL -- --special --jinja --chat-template-file FILE",
  },
  ollama: {
    title: "Ollama",
    api: "generate",
    fields: {},
    reportsStop: false,
    keepTokens: "a Modelfile whose base declares the tokens as plain added tokens, not as control tokens",
    acceptRoles: "a Modelfile with a TEMPLATE for these roles, or --api generate, which needs none",
  },
  openai: {
    title: "a server of the OpenAI interface",
    api: "completions",
    fields: {},
    reportsStop: false,
    keepTokens: "see its manual for keeping special tokens in the output",
    acceptRoles: "see its manual for chat templates, or use --api completions",
  },
};

/** Stop strings of a request. A server that does not report its stop string runs to the model's end of turn. */
export function stopStrings(profile: Profile, explain: boolean): string[] {
  if (!profile.reportsStop) return [];
  return [explain ? TOKEN.turnEnd : TOKEN.editEnd];
}
