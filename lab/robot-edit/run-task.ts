import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DYNAMIC } from "../../conformance/requirements/registry.ts";
import { type Change, copyAppWithChanges, idOf, judgeRepair, MUTANTS } from "../../conformance/testing/mutants.ts";
import { digestOf } from "../../daemon/apps/install/fetch/digest.ts";
import { NO_FILE, readPossibleSource, textForModel } from "../../edit/apply/file.ts";
import { conventionOfModel, type Format } from "../../edit/formats/format.ts";
import { languageOfFile } from "../../edit/formats/language-name.ts";
import type { ModelClient } from "../../edit/model/types.ts";
import { instructFormat } from "../../edit/prompt/instruct.ts";
import { type FileToEdit, refusalReason } from "../../edit/session/edit-files.ts";
import { requestEdit } from "../../edit/session/request-edit.ts";
import { requestMultiFileEdit } from "../../edit/session/request-multi-file-edit.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/** How a model is asked. */
export interface PromptFormat {
  /** The format that the model was trained for; ignored with `instruct`. */
  format: Format;
  /** With the format as instructions: search and replace, or the whole file when it is new. */
  instruct: boolean;
}

/** `left out`: the task changes several files, and the model was not asked with instructions. */
export const OUTCOMES = ["passed", "failed", "refused", "no change", "no answer", "not judged", "left out"] as const;

/** What became of a task. */
export interface Result {
  outcome: (typeof OUTCOMES)[number];
  detail: string;
  /** Tokens of the answer, as the server counts them. */
  tokens: number | null;
  /** Seconds of the model's answer, and of the judging. */
  seconds: number;
  judged: number;
}

/** The text of a task: the requirement and what certify says about the broken app. */
function instructionOf(name: string): string {
  const requirement = DYNAMIC.find(({ id }) => id === idOf(name));
  const says = MUTANTS[name]?.says ?? "";
  return `robot-app-assistant certify says about this robot app: ${idOf(name)} fails (${requirement?.title}): ... ${says} ... Fix it and nothing else.`;
}

/** Digest of a task: the app, what is broken in it, and the text. */
export async function digestOfTask(name: string): Promise<string> {
  const mutant = MUTANTS[name];
  const hash = createHash("sha256").update(JSON.stringify(mutant)).update(instructionOf(name));
  return hash.update(await digestOf(join("fixtures/apps", mutant?.app ?? ""))).digest("hex");
}

interface RunOptions extends PromptFormat {
  client: ModelClient;
  signal: AbortSignal;
  /** Test runs at a time. */
  jobs: number;
  now(): number;
}

/**
 * Lets the model repair a broken app, with one answer, and judges the app by the requirement that it violates.
 * @throws WorkbenchError `model-unreachable`; the signal's reason
 */
export async function runTask(name: string, options: RunOptions): Promise<Result> {
  const { app, changes } = MUTANTS[name] ?? { app: "", changes: [] };
  const into = await mkdtemp(join(tmpdir(), "robot-edit-"));
  try {
    const folder = await copyAppWithChanges(app, changes, into);
    const names = [...new Set(changes.map(({ file }) => file))];
    const files = names.map(async (file): Promise<FileToEdit> => {
      return { name: file, source: await readPossibleSource(join(folder, file)), history: [] };
    });
    const start = options.now();
    const answer = await ask(folder, instructionOf(name), await Promise.all(files), options);
    const asked = { tokens: answer.tokens, seconds: (options.now() - start) / 1000 };
    if ("outcome" in answer) return { ...asked, ...answer, judged: 0 };
    const judged = await judgeRepair(name, answer.repair, { jobs: options.jobs });
    const seconds = (options.now() - start) / 1000 - asked.seconds;
    return { ...asked, ...outcomeOf(judged?.judgement), judged: seconds };
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}

type Judgement = NonNullable<Awaited<ReturnType<typeof judgeRepair>>>["judgement"];

function outcomeOf(judgement: Judgement | undefined): Pick<Result, "outcome" | "detail"> {
  const { status = "error", findings = [], reason } = judgement ?? {};
  const detail = [findings[0]?.message, reason].find((text) => text != null) ?? "";
  if (status === "pass") return { outcome: "passed", detail: "" };
  return { outcome: status === "error" ? "not judged" : "failed", detail: `${status}: ${detail}` };
}

/** The new texts of files, or why there are none. */
type Answer = Pick<Result, "tokens"> & ({ repair: Change[] } | Pick<Result, "outcome" | "detail">);

async function ask(app: string, instruction: string, files: readonly FileToEdit[], run: RunOptions): Promise<Answer> {
  const { client, signal, instruct } = run;
  const common = { client, explain: false, retries: 0, syntax: "refuse", signal } as const;
  const without = (outcome: Result["outcome"], detail: string, tokens: number | null = null): Answer => {
    return { outcome, detail, tokens };
  };
  const [file] = files;
  if (file === undefined) return without("left out", "It changes no file.");
  const isMultiFile = files.length > 1 || file.source.hash === NO_FILE;
  if (isMultiFile && !instruct) return without("left out", "It changes several files, or one that is missing.");
  try {
    const { outcome, tokens = null } = isMultiFile
      ? await requestMultiFileEdit({ ...common, app, files, instruction, maxTokens: 8192 })
      : await requestEdit({ ...common, ...requestOfFile(file, instruction, run) });
    if (outcome.status === "no-change") return without("no change", "", tokens);
    if (outcome.status === "refused") return without("refused", refusalReason(outcome).replaceAll("\n", " | "), tokens);
    const edited = "files" in outcome ? outcome.files : [{ name: file.name, result: outcome.result }];
    const repair = edited.map(({ name, result }) => ({ file: name, content: result }));
    return { repair, tokens };
  } catch (error) {
    if (!(error instanceof WorkbenchError) || error.code === "model-unreachable") throw error;
    return without("no answer", error.message);
  }
}

function requestOfFile({ name, source: { text } }: FileToEdit, user: string, { client, instruct, format }: RunOptions) {
  const current = { type: "code" as const, lang: languageOfFile(name), code: textForModel(text) };
  return {
    sample: { history: [], current, user },
    original: text,
    format: instruct ? instructFormat(text) : format,
    convention: conventionOfModel(client.model),
    instruct,
    maxTokens: 4096,
  };
}
