import { Redis } from "ioredis";
import { PROGRAM_ANSWER_MS } from "../../../common/machine/load-execa.ts";
import { rejectOnAbort } from "../../../common/time/reject-on-abort.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Milliseconds between two attempts to connect. */
const RETRY_MS = 500;

/**
 * Connects to Redis or Valkey. A connection that is lost later is made again, for as long as it takes.
 * @param url `redis://` or `rediss://`
 * @param onError called with each error after the first connection; another attempt to connect follows
 * @throws WorkbenchError `check-failed` when there is no server at first
 */
export async function connectToRedis(url: string, onError: (error: Error) => void = () => {}): Promise<Redis> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => RETRY_MS, lazyConnect: true });
  // An error is followed by another attempt to connect; without a listener it would end the process.
  redis.on("error", () => {});
  const late = AbortSignal.timeout(PROGRAM_ANSWER_MS);
  try {
    await rejectOnAbort(
      redis.connect().then(() => redis.ping()),
      late,
    );
    redis.on("error", onError);
    return redis;
  } catch (cause) {
    redis.disconnect();
    const { host, port } = redis.options;
    const why = late.aborted ? "no answer" : (cause as Error).message;
    const next = "Start redis-server or valkey-server there, or leave --queue out.";
    throw new WorkbenchError("check-failed", `There is no Redis at ${host}:${port}: ${why}. ${next}`, { cause });
  }
}
