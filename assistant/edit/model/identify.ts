import { z } from "zod";
import { daemonAt } from "./failures.ts";
import { addressOf, type ServerOptions, send } from "./http.ts";
import type { ProfileName } from "./profiles.ts";

/** Which kind of server answers, and the models that it names. */
export interface Identity {
  profile: ProfileName;
  models: string[];
}

const ModelList = z.object({
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().optional() })).nullable(),
});

/** `owned_by` in the list of models. The replay server behaves like vLLM. */
const OWNERS: Readonly<Record<string, ProfileName>> = {
  vllm: "vllm",
  replay: "vllm",
  sglang: "sglang",
  llamacpp: "llamacpp",
  docker: "docker-model-runner",
};

/**
 * Looks who answers at an address, by its list of models and the ways in which servers introduce themselves.
 * @throws WorkbenchError `model-unreachable` when nothing does, or the robot daemon; `model-failed`
 */
export async function identify(server: ServerOptions, signal: AbortSignal): Promise<Identity> {
  const list = await send(server, "/v1/models", undefined, signal);
  const parsed = ModelList.safeParse(await list.json().catch(() => undefined));
  const daemon = parsed.success ? undefined : await daemonAt(server.serverUrl, signal);
  if (daemon) throw daemon;
  const models = parsed.success ? (parsed.data.data ?? []) : [];
  const owner = models[0]?.owned_by ?? "";
  const known = OWNERS[owner] ?? (list.headers.get("server")?.startsWith("llama.cpp") ? "llamacpp" : undefined);
  const profile = known ?? ((await isOllama(server, signal)) ? "ollama" : "openai");
  return { profile, models: models.map(({ id }) => id) };
}

async function isOllama({ serverUrl }: ServerOptions, signal: AbortSignal): Promise<boolean> {
  const root = await fetch(addressOf(serverUrl, "/"), { signal });
  return (await root.text()).includes("Ollama is running");
}
