import { WorkbenchError } from "../../robot/wire/errors.ts";
import { assertMatches } from "../../robot/wire/validation/parse-or-throw.ts";
import { Verdict } from "../verdict/verdict.ts";

/**
 * Reads a verdict from its JSON.
 * @param name of the file, for messages
 * @throws WorkbenchError `bad-request` when the text is not a verdict
 */
export function readVerdict(text: string, name: string): Verdict {
  const next = `${name} is not a verdict; name the verdict.json that certify wrote.`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new WorkbenchError("bad-request", `${name} is not JSON. ${next}`, { cause });
  }
  // The order of the keys stays as it was written, so that the same page results.
  assertMatches(Verdict, json, name, { next });
  return json;
}
