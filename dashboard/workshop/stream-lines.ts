import type { Problem } from "../../robot/wire/errors.ts";
import { RequestError } from "../connection/client.ts";

/** Sends a request whose answer is lines of JSON, and calls back with each as it arrives. */
export type StreamLines = <T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  onLine: (value: T) => void,
) => Promise<void>;

/** @throws RequestError when the request is refused, or the connection is lost; the signal's reason */
export const streamLines =
  (fetch: typeof globalThis.fetch): StreamLines =>
  async (path, body, signal, onLine) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(path, { method: "POST", headers, signal, body: JSON.stringify(body) });
    if (!response.ok) {
      const problem: Partial<Problem> = await response.json().catch(() => ({}));
      throw new RequestError(problem.code ?? "internal", problem.detail ?? `The daemon answered ${response.status}.`);
    }
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      const lines = (rest + part.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(JSON.parse(line));
    }
  };
