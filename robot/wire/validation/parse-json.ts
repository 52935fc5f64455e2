import { WorkbenchError } from "../errors.ts";

/**
 * Parses JSON from outside.
 * @param what name of the text in the message, for example `message`
 * @throws WorkbenchError `bad-request` when it is not JSON
 */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WorkbenchError("bad-request", `${what} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** JSON from outside; null when it is not JSON, for a schema to refuse. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
