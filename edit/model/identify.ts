import { z } from "zod";
import { daemonError } from "./error-messages.ts";
import { type ModelServerOptions, parseJsonOrText, send, withDeadline } from "./http.ts";
import type { ProfileName } from "./profiles.ts";

interface Identity {
  profile: ProfileName;
  models: string[];
}

const ModelList = z.object({
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().optional() })).nullable(),
});

/** `owned_by` in the list of models. The replay server behaves like vLLM. */
const OWNERS: ReadonlyMap<string, ProfileName> = new Map([
  ["vllm", "vllm"],
  ["replay", "vllm"],
  ["sglang", "sglang"],
]);

/**
 * Finds out the kind of server at an address, by its list of models.
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
  return { profile: OWNERS.get(owner) ?? "openai", models: models.map(({ id }) => id) };
}
