import { type Problem, problemOf } from "../../robot/wire/errors.ts";
import type { AskBody, AskEvent } from "../../robot/wire/workshop/ask.ts";
import type { RequirementProblem } from "../../robot/wire/workshop/certification.ts";
import type { FileText, WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";
import type { Workshop } from "./workshop.ts";
import type { WorkshopCertifications } from "./workshop-certifications.ts";
import type { WorkshopRuns } from "./workshop-runs.ts";

interface AnswerParts {
  workshop: Pick<Workshop, "ask" | "fixInstruction" | "check">;
  certifications: Pick<WorkshopCertifications, "problemWith" | "whyNotMet">;
  runs: Pick<WorkshopRuns, "try" | "awaitFailure">;
  /** What the app printed in its last run, its last lines. */
  readLog(signal: AbortSignal): Promise<string>;
  /** Gets every error, to log an unexpected one. */
  onError(error: unknown): void;
}

type Emit = (event: AskEvent) => void;
type AnswerEvent = Extract<AskEvent, { kind: "answer" }>;

/** Milliseconds that an app must run for its failure to count as ended. */
const PROOF_MS = 3000;

/**
 * Has the model edit a file, and reports what happens. An edit that is to fix something is tried first, and is an answer only
 * when what it fixes is gone. Never rejects: the last event says why there is no edit.
 */
export async function answerAsk(parts: AnswerParts, body: AskBody, emit: Emit, signal: AbortSignal): Promise<void> {
  const { file, files, instruction, fix } = body;
  try {
    if (fix === null) await parts.workshop.ask({ file, files, instruction }, emit, signal);
    else await answerFix(parts, body, fix, emit, signal);
  } catch (error) {
    if (signal.aborted) return;
    parts.onError(error);
    const { code, detail }: Problem = problemOf(error);
    emit({ kind: "failed", code, detail });
  }
}

async function answerFix(
  parts: AnswerParts,
  { files }: AskBody,
  fix: NonNullable<AskBody["fix"]>,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const { workshop, certifications, readLog } = parts;
  const log = fix === "failure" ? await readLog(signal) : "";
  const problem = typeof fix === "object" && "requirement" in fix ? certifications.problemWith(fix.requirement) : fix;
  const { file, instruction } = await workshop.fixInstruction(problem, log, signal);
  let answer: AnswerEvent | undefined;
  const onEvent: Emit = (event) => {
    if (event.kind === "answer") answer = event;
    else if (event.kind !== "draft") emit(event);
  };
  await workshop.ask({ file, files, instruction }, onEvent, signal);
  if (answer === undefined) return;
  emit({ kind: "trying" });
  const changes = [...files.filter(({ name }) => name !== file), { name: file, text: answer.text }];
  const proof = await prove(parts, problem, files, changes, signal);
  emit("why" in proof ? { kind: "failed", code: "edit-refused", detail: proof.why } : { ...answer, ...proof });
}

type Proof = { proof: string } | { why: string };
/** What a fix is to end. */
type ToFix = WorkshopFinding | RequirementProblem | "failure";

/** Tries changes that are to fix something. */
async function prove(
  parts: AnswerParts,
  fix: ToFix,
  before: readonly FileText[],
  after: readonly FileText[],
  signal: AbortSignal,
): Promise<Proof> {
  if (fix === "failure") return proveAppRuns(parts, after, signal);
  const [old, now] = [await parts.workshop.check(before, signal), await parts.workshop.check(after, signal)];
  if ("title" in fix) return proveRequirementMet(parts, fix.id, { old, now, after }, signal);
  return proveFindingGone(fix, old, now);
}

/** A part of the app contract that the check finds violated after an edit and not before. */
function addedFinding(old: readonly WorkshopFinding[], now: readonly WorkshopFinding[]): WorkshopFinding | undefined {
  // A text that does not parse hides what else there is to find: in its file, and a Python file in all of the app.
  const broken = old.filter(isSyntaxError);
  if (broken.some(({ file }) => file.endsWith(".py") || file === "pyproject.toml")) return undefined;
  return now.find(
    (each) =>
      each.level === "MUST" &&
      !broken.some(({ file }) => file === each.file) &&
      !old.some(({ id, message }) => id === each.id && message === each.message),
  );
}

async function proveRequirementMet(
  { certifications }: AnswerParts,
  requirement: string,
  { old, now, after }: { old: WorkshopFinding[]; now: WorkshopFinding[]; after: readonly FileText[] },
  signal: AbortSignal,
): Promise<Proof> {
  const added = addedFinding(old, now);
  if (added !== undefined) return { why: `The model's edit causes ${added.id}: ${added.message} It is not shown.` };
  const why = await certifications.whyNotMet(requirement, after, signal);
  if (why === null) return { proof: `${requirement} was judged with the edit, and is met.` };
  return { why: `The app does not meet ${requirement} with the model's edit, either: ${why} It is not shown.` };
}

const isSyntaxError = ({ id, message }: WorkshopFinding): boolean => id === "syntax" || /^syntax error/i.test(message);

function proveFindingGone(finding: WorkshopFinding, old: WorkshopFinding[], now: WorkshopFinding[]): Proof {
  const isSame = ({ id, file, message }: WorkshopFinding) =>
    id === finding.id && file === finding.file && message === finding.message;
  if (now.filter(isSame).length >= Math.max(1, old.filter(isSame).length))
    return { why: `The model's edit does not end ${finding.id}: ${finding.message} It is not shown.` };
  const added = addedFinding(old, now);
  if (added !== undefined)
    return { why: `The model's edit ends ${finding.id} and causes ${added.id}: ${added.message} It is not shown.` };
  return {
    proof: `${finding.id} is gone; the check finds ${now.length === 0 ? "nothing else" : `${now.length} more`}.`,
  };
}

async function proveAppRuns({ runs }: AnswerParts, changes: readonly FileText[], signal: AbortSignal): Promise<Proof> {
  await runs.try(changes, false, signal);
  const error = await runs.awaitFailure(PROOF_MS, signal);
  if (error === null) return { proof: `It has run for ${PROOF_MS / 1000} s without failing.` };
  return {
    why: `The app fails with the model's edit, too: ${error.split("\n").findLast((line) => line.trim() !== "")}`,
  };
}
