import { z } from "zod";
import { boundedResponse } from "../../common/bounded-response.ts";
import { daemonError } from "./error-messages.ts";
import { addressOf, type ModelServerOptions, parseJsonOrText, send, withDeadline } from "./http.ts";
import type { ProfileName } from "./profiles.ts";

interface Identity {
  profile: ProfileName;
  models: string[];
}

const ModelList = z.object({
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().optional() })).nullable(),
});

const MAX_PAGE_BYTES = 1_000_000;

/** `owned_by` in the list of models. The replay server behaves like vLLM. */
const OWNERS: ReadonlyMap<string, ProfileName> = new Map([
  ["vllm", "vllm"],
  ["replay", "vllm"],
  ["sglang", "sglang"],
  ["llamacpp", "llamacpp"],
  ["docker", "docker-model-runner"],
]);

/**
 * Finds out the kind of server at an address, by its list of models and its headers.
 * @throws WorkbenchError `model-unreachable` when nothing answers, or the robot daemon does; `model-failed`, `deadline-passed`
 */
export function identifyServer(server: ModelServerOptions, signal: AbortSignal): Promise<Identity> {
  return withDeadline(server, signal, (limited) => identifyWithin(server, limited));
}

async function identifyWithin(server: ModelServerOptions, signal: AbortSignal): Promise<Identity> {
  const list = await send(server, "/v1/models", undefined, signal);
  const parsed = ModelList.safeParse(parseJsonOrText(await list.text()));
  const daemon = parsed.success ? undefined : await daemonError(server, signal);
  if (daemon) throw daemon;
  const models = parsed.success ? (parsed.data.data ?? []) : [];
  const owner = models[0]?.owned_by ?? "";
  const known = OWNERS.get(owner) ?? (list.headers.get("server")?.startsWith("llama.cpp") ? "llamacpp" : undefined);
  const profile = known ?? ((await isOllama(server, signal)) ? "ollama" : "openai");
  return { profile, models: models.map(({ id }) => id) };
}

async function isOllama({ serverUrl }: ModelServerOptions, signal: AbortSignal): Promise<boolean> {
  const root = boundedResponse(await fetch(addressOf(serverUrl, "/"), { signal }), MAX_PAGE_BYTES);
  return (await root.text()).includes("Ollama is running");
}
