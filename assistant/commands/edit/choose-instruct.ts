import { isTrainedByName } from "../../../edit/formats/format.ts";
import { isModelFailure } from "../../../edit/model/error-messages.ts";
import { isTrainedForEdits } from "../../../edit/model/probe.ts";
import type { ModelClient } from "../../../edit/model/types.ts";
import { journalFolder } from "../../../edit/session/journal.ts";
import { recallModel, rememberModel } from "../../../edit/session/model-memory.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import type { EditFlags } from "./flags.ts";

/** What a command has found out about its model; the edits of one command share it. */
export interface CommandModel {
  /** Whether it gets the format as instructions, once the model was asked. */
  instruct?: boolean;
}

/**
 * Requests an edit with the format as instructions, or without when the model was trained for it: as --instruct says, else by
 * the model's name, else as the model answers one short question. That answer is remembered for the server and the model; when
 * an edit fails that follows a memory, the model is asked anew, once in a command, and for the edit once more when it was wrong.
 * A question that fails is not remembered.
 * @param request makes the request
 * @throws WorkbenchError `model-unreachable`, `deadline-passed`; what `request` throws
 */
export async function requestInstructed<T extends { outcome: { status: string } }>(
  client: ModelClient,
  flags: Pick<EditFlags, "instruct" | "format" | "api" | "json">,
  terminal: Pick<Terminal, "env" | "signal" | "err">,
  known: CommandModel,
  request: (instruct: boolean) => Promise<T>,
): Promise<T> {
  const { serverUrl, model } = client;
  const { instruct, format, api } = flags;
  if (instruct !== undefined || format !== undefined || api !== undefined || serverUrl === undefined)
    return request(instruct ?? false);
  if (isTrainedByName(model)) return request(false);
  if (known.instruct !== undefined) return request(known.instruct);
  const folder = journalFolder(terminal.env);
  const report = (what: string, other: string) => {
    if (!flags.json) terminal.err(`${model} ${what} the format as instructions (${other} changes that).\n`);
  };
  const ask = async () => {
    const isTrained = await isTrainedForEdits(client, terminal.signal);
    if (isTrained === null) return undefined;
    known.instruct = !isTrained;
    await rememberModel(folder, { serverUrl, model, instruct: !isTrained });
    if (isTrained) report("was trained for edits: it does not get", "--instruct");
    else report("was not trained for edits: it gets", "--no-instruct");
    return !isTrained;
  };
  const remembered = await recallModel(folder, { serverUrl, model });
  if (remembered === undefined) {
    const found = await ask();
    if (found === undefined) report("did not say whether it was trained for edits: it gets", "--no-instruct");
    return request(found ?? true);
  }
  const first = await request(remembered).catch((error: unknown) => {
    if (isModelFailure(error)) return error;
    throw error;
  });
  if (!(first instanceof WorkbenchError) && first.outcome.status !== "refused") return first;
  const found = await ask();
  if (found !== undefined && found !== remembered) return request(found);
  if (first instanceof WorkbenchError) throw first;
  return first;
}
