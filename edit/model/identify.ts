import { z } from "zod";
import { daemonError } from "./daemon-answer.ts";
import { type ModelServerOptions, parseJsonOrText, send, withDeadline } from "./http.ts";
import type { ProfileName } from "./profiles.ts";
import { serverAddress } from "./server-address.ts";
import { ServerError } from "./server-error.ts";

interface Identity {
  profile: ProfileName;
  models: string[];
}

const Model = z.looseObject({ id: z.string(), owned_by: z.string().nullish() });
const ModelList = z.object({ data: z.array(Model).nullable() });

/** `owned_by` in the list of models. The replay server behaves like vLLM. */
const OWNERS: ReadonlyMap<string, ProfileName> = new Map([
  ["vllm", "vllm"],
  ["replay", "vllm"],
  ["sglang", "sglang"],
]);

/**
 * Finds out the kind of server at an address, by its list of models; a server without one has no models here.
 * @throws WorkbenchError `model-unreachable` when nothing answers, or the robot daemon does; `model-failed`, `deadline-passed`
 */
export function identifyServer(server: ModelServerOptions, signal: AbortSignal): Promise<Identity> {
  return withDeadline(server, signal, async (limited) => {
    const models = (await modelsOf(server, limited)) ?? [];
    return { profile: OWNERS.get(models[0]?.owned_by ?? "") ?? "openai", models: models.map(({ id }) => id) };
  });
}

async function modelsOf(server: ModelServerOptions, signal: AbortSignal) {
  const list = await send(server, "models", undefined, signal).catch((error: unknown) => {
    if (error instanceof ServerError && [404, 405, 501].includes(error.status ?? 0)) return undefined;
    throw error;
  });
  if (list === undefined) return undefined;
  const parsed = ModelList.safeParse(parseJsonOrText(await list.text()));
  const daemon = parsed.success ? undefined : await daemonError(server, serverAddress(server.serverUrl), signal);
  if (daemon) throw daemon;
  return parsed.data?.data ?? undefined;
}

/** Fields of a model list that say how many tokens a model takes, at the model or in an object of it. */
const LIMIT =
  /^(?:max_model_len|(?:max_|loaded_)?context_(?:length|window|size)|max_(?:input|total)_tokens|max_seq_len|n_ctx(?:_train)?)$/;

/** How many tokens prompt and answer may have, as the server's list of models says; undefined where it does not. */
export async function contextLimit(
  server: ModelServerOptions,
  model: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const models = (await modelsOf(server, signal)) ?? [];
    const listed = models.find(({ id }) => id === model) ?? {};
    const fields = [listed, ...Object.values(listed)].flatMap((part) =>
      part && typeof part === "object" ? Object.entries(part) : [],
    );
    const limits = fields.flatMap(([name, value]) => (LIMIT.test(name) && Number(value) > 0 ? [Number(value)] : []));
    return limits.length === 0 ? undefined : Math.min(...limits);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
