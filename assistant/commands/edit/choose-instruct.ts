import { isTrainedByName } from "../../../edit/formats/format.ts";
import { closesEdits } from "../../../edit/model/probe.ts";
import type { ModelClient } from "../../../edit/model/types.ts";
import { journalFolder } from "../../../edit/session/journal.ts";
import { recallModel, rememberModel } from "../../../edit/session/model-memory.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import type { EditFlags } from "./flags.ts";

interface Requested {
  outcome: { status: string };
}

/**
 * Requests an edit with the format as instructions, or without when the model was trained for it: as --instruct says, else by
 * the model's name, else as the model answers one short question. That answer is remembered for the server and the model; when
 * an edit fails that follows a memory, the model is asked anew, and for the edit once more when it was wrong.
 * @param request makes the request
 * @throws WorkbenchError those of `request`, `model-unreachable`, `deadline-passed`
 */
export async function requestInstructed<T extends Requested>(
  client: ModelClient,
  flags: EditFlags,
  terminal: Terminal,
  request: (instruct: boolean) => Promise<T>,
): Promise<T> {
  const { serverUrl, model } = client;
  const { instruct, format, api } = flags;
  if (instruct !== undefined || format !== undefined || api !== undefined || serverUrl === undefined)
    return request(instruct ?? false);
  if (isTrainedByName(model)) return request(false);
  const folder = journalFolder(terminal.env);
  const ask = async () => {
    const found = !(await closesEdits(client, terminal.signal));
    await rememberModel(folder, { serverUrl, model, instruct: found });
    const what = found ? "was not trained for edits: it gets" : "was trained for edits: it does not get";
    const other = found ? "--no-instruct" : "--instruct";
    if (!flags.json) terminal.err(`${model} ${what} the format as instructions (${other} changes that).\n`);
    return found;
  };
  const remembered = await recallModel(folder, { serverUrl, model });
  if (remembered === undefined) return request(await ask());
  const first = await outcomeOrFailure(() => request(remembered));
  if (!(first instanceof WorkbenchError) && first.outcome.status !== "refused") return first;
  const found = await ask();
  if (found !== remembered) return request(found);
  if (first instanceof WorkbenchError) throw first;
  return first;
}

async function outcomeOrFailure<T>(step: () => Promise<T>): Promise<T | WorkbenchError> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof WorkbenchError && error.code === "model-failed") return error;
    throw error;
  }
}
