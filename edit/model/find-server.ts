import { z } from "zod";
import { boundedResponse } from "../../common/bounded-response.ts";
import { isDaemonAnswer } from "./daemon-answer.ts";

/**
 * Where model servers listen: this package's choice, which leaves port 8000 to the robot daemon, then the defaults of vLLM and
 * of SGLang.
 */
export const DEFAULT_SERVER_URLS = [
  "http://127.0.0.1:8001",
  "http://127.0.0.1:8000",
  "http://127.0.0.1:30000",
] as const;

/** Time for an answer, in milliseconds: a server that generates text answers late. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_000_000;
const ModelList = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

/** The first of some addresses where a model server answers; the first of all when none does. No token is sent. */
export async function findServerUrl(
  signal: AbortSignal,
  urls: readonly string[] = DEFAULT_SERVER_URLS,
): Promise<string> {
  for (const url of urls) if (await isModelServer(url, signal)) return url;
  return urls[0] as string;
}

/** Whether an address has a list of models; a server that wants a token has one, too. The robot daemon has none. */
async function isModelServer(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = boundedResponse(await fetch(`${url}/v1/models`, { signal: limited }), MAX_BYTES);
    const body: unknown = await response.json().catch(() => undefined);
    return ModelList.safeParse(body).success || (response.status === 401 && !isDaemonAnswer(body));
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
