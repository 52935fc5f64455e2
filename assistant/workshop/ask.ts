import { join } from "node:path";
import { textForModel } from "../../edit/apply/file.ts";
import { languageOfFile } from "../../edit/formats/language-name.ts";
import { DASHBOARD_SETTINGS } from "../../edit/model/setting-names.ts";
import { type Refusal, type RefusalCode, refusalText } from "../../edit/refusal.ts";
import { readJournal } from "../../edit/session/journal.ts";
import { pastVersions } from "../../edit/session/past-versions.ts";
import { requestEdit } from "../../edit/session/request-edit.ts";
import { pythonOfApp } from "../../robot/project/python-of-app.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { AskEvent } from "../../robot/wire/workshop/ask.ts";
import { tokensFor } from "../commands/edit/request-options.ts";
import { answerForm } from "../commands/model/answer-form.ts";
import { openModel } from "../commands/model/options.ts";

/** Older versions that the model sees. */
const MAX_VERSIONS = 3;

interface AskParts {
  /** Folder of the journals. */
  journal: string;
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

interface Question {
  /** The file to edit, by its path inside the app. */
  file: string;
  /** Its text in the folder; null for a new file. */
  kept: string | null;
  /** Its text as it is in the editor. */
  text: string;
  /** Empty for the next edit after those before. */
  instruction: string;
}

/**
 * Asks the model that `edit` would ask for an edit of a file as it is in the editor. The versions before are those that were
 * kept.
 * @param emit gets what happens; an edit comes as the last event
 * @throws WorkbenchError `usage` without an instruction and a version before; those of `openModel` and `requestEdit`
 */
export async function askModel(
  { journal, folder, env }: AskParts,
  { file, kept, text, instruction }: Question,
  emit: (event: AskEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = join(folder, file);
  const entries = kept === null ? [] : await readJournal(journal, { path });
  const past = { source: "auto" as const, limit: MAX_VERSIONS, journal: entries, signal };
  const older = kept === null ? [] : await pastVersions(path, kept, past);
  const history = [...older, ...(kept === null || kept === text ? [] : [textForModel(kept)])].slice(-MAX_VERSIONS);
  if (instruction === "" && history.length === 0)
    throw new WorkbenchError("usage", `${file} has no version before from which to go on: say what to change.`);
  const client = await openModel({ stream: true }, { cwd: folder, env, signal }, DASHBOARD_SETTINGS);
  emit({ kind: "asking", model: client.model });
  const item = (code: string) => ({ type: "code" as const, lang: languageOfFile(file), code });
  const sample = { history: history.map(item), current: item(textForModel(text)), user: instruction, loc: null };
  const form = answerForm({}, env, text);
  const { outcome } = await requestEdit({
    ...{ client, sample, original: text, ...form, signal, python: await pythonOfApp(folder) },
    explain: true,
    // The person sees what goes, and keeps it or not.
    elision: "note",
    retries: 1,
    maxTokens: tokensFor(text, form.format),
    onDraft: (draft) => emit({ kind: "draft", text: draft }),
    onRefused: (reason) => emit({ kind: "refused", reason }),
  });
  const { explanation } = outcome;
  if (outcome.status === "refused") throw new WorkbenchError("edit-refused", refusalForPage(outcome.refusal));
  if (outcome.status === "no-change") return emit({ kind: "no-change", explanation });
  const { result, notes } = outcome;
  emit({ kind: "answer", file, text: result, instruction, notes, explanation, proof: null });
}

const TOO_MUCH: readonly RefusalCode[] = ["truncated", "too-long"];

/** A refusal whose advice is what the page offers. That of the refusal is for the model, which was asked again, and for the terminal. */
function refusalForPage(refusal: Refusal): string {
  const hint = TOO_MUCH.includes(refusal.code)
    ? "Ask for a smaller change."
    : "Ask again, or say more exactly what to change.";
  return refusalText({ ...refusal, hint });
}
