import { WorkbenchError } from "../../robot/wire/errors.ts";

/** What a text message says. Throws `bad-request` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WorkbenchError("bad-request", `message: not JSON: ${(error as Error).message}`);
  }
}

export { read as validate } from "../../robot/wire/read.ts";
