import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Longer error texts are cut: some servers answer with a page. */
const LONGEST = 500;

/** What a server says went wrong: `{"error": {"message"}}`, `{"error": text}`, a flat `message` or `detail`, or the text. */
export function readFailure(body: string): string {
  try {
    return (messageIn(JSON.parse(body)) ?? body).slice(0, LONGEST);
  } catch {
    return body.trim().slice(0, LONGEST) || "nothing";
  }
}

/** The message of an error object, which may also come inside a good answer or a stream; undefined when it is none. */
export function messageIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { error, message, detail, object } = value as Record<string, unknown>;
  if (typeof error === "string") return error;
  if (error !== undefined && error !== null) return messageIn(error) ?? JSON.stringify(error);
  if (typeof message === "string" && (object === "error" || object === undefined)) return message;
  return typeof detail === "string" ? detail : undefined;
}

/** The error to show when the robot daemon listens where a model server was expected; both use port 8000 by default. */
export async function daemonAt(serverUrl: string, signal: AbortSignal): Promise<WorkbenchError | undefined> {
  try {
    const answer = await fetch(new URL("/api/daemon/status", serverUrl), { signal });
    const status = (await answer.json()) as { robot_name?: unknown; code?: unknown };
    if (status.robot_name === undefined && status.code !== "token-required") return undefined;
  } catch {
    return undefined;
  }
  return new WorkbenchError(
    "model-unreachable",
    `${serverUrl} is the robot daemon, not a model server: both use port 8000 unless told otherwise. Start the model ` +
      "server on another port, for example 8001, and name it with --server-url http://127.0.0.1:8001.",
  );
}
