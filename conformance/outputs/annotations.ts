import { placeOf } from "../../assistant/check/formats/format.ts";
import { limitAnnotations, workflowCommand } from "../../assistant/check/formats/github.ts";
import { type Judgement, preventsConformance, type Verdict } from "../verdict/verdict.ts";

/** Outcomes that are annotated, the most important first. */
const ORDER: readonly Judgement["status"][] = ["fail", "error", "flaky", "warn", "inconclusive"];

const MORE = { title: "certify", hint: "the verdict has all" };

/**
 * A verdict as GitHub's workflow commands: at most ten errors and ten warnings, the last of each says how many more
 * there are (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands). Failures come first. What
 * keeps the app from being conformant is an error, everything else a warning.
 * @param folder the app's folder relative to the working directory, which must be the root of the repository
 */
export function annotationsOf({ results }: Pick<Verdict, "results">, folder: string): string[] {
  const lines = ORDER.flatMap((status) => results.filter((each) => each.status === status)).flatMap((judgement) =>
    linesOf(judgement, folder),
  );
  return [...limitAnnotations("error", lines, MORE), ...limitAnnotations("warning", lines, MORE)];
}

function linesOf(judgement: Judgement, folder: string): string[] {
  const { id, findings, reason } = judgement;
  const kind = preventsConformance(judgement) ? "error" : "warning";
  const title = `${id} ${judgement.title}`;
  if (findings.length === 0) return [workflowCommand(kind, { title }, reason ?? judgement.title)];
  return findings.map(({ file, line, message }) =>
    workflowCommand(kind, { file: placeOf(folder, file), line: line ?? 1, title }, message),
  );
}
