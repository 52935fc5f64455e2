import { CONVENTIONS, type Convention, FORMATS, type Format } from "../../../edit/formats/format.ts";
import type { Api } from "../../../edit/model/profiles.ts";
import { instructFormat } from "../../../edit/prompt/instruct.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** How a model is asked for an edit of a file. */
interface AnswerForm {
  /** Whether it is asked in a chat, with the format as instructions; a model that was trained for a format is not. */
  instruct: boolean;
  format: Format;
  convention: Convention;
}

/** The options that decide on it, as commander parses them. */
interface FormFlags {
  instruct?: boolean;
  format?: Format;
  convention?: Convention;
  api?: Api;
  local?: string;
}

/**
 * How the options and the variables ROBOT_MODEL_FORMAT and ROBOT_MODEL_CONVENTION say that the model is asked. Without a
 * format that it was trained for, it gets one as instructions, which any chat model follows.
 * @param text the file's text
 * @throws WorkbenchError `usage` for a variable with another value
 */
export function answerForm(
  { instruct, format, convention, api, local }: FormFlags,
  env: Readonly<Record<string, string | undefined>>,
  text: string,
): AnswerForm {
  const trained = format ?? choiceOf(env, "ROBOT_MODEL_FORMAT", FORMATS);
  const isInstructed = instruct ?? (trained === undefined && api !== "completions" && local === undefined);
  return {
    instruct: isInstructed,
    format: isInstructed ? instructFormat(text, format) : (trained ?? "wf"),
    convention: convention ?? choiceOf(env, "ROBOT_MODEL_CONVENTION", CONVENTIONS) ?? "inclusive",
  };
}

/** The value of a variable that has one of some values; undefined when it is empty or not set. */
function choiceOf<T extends string>(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = env[name];
  if (!value) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new WorkbenchError("usage", `${name} is ${JSON.stringify(value)}; it is one of ${choices.join(", ")}.`);
}
