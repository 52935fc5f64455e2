import { limitAnnotations, workflowCommand } from "../../assistant/check/formats/github.ts";
import { placeOf } from "../../assistant/check/formats/place.ts";
import type { Judgement, Verdict } from "../verdict/verdict.ts";

/** Outcomes that are annotated, the most important first. */
const ORDER: readonly Judgement["status"][] = ["fail", "error", "flaky", "warn", "inconclusive"];

const MORE = { title: "certify", hint: "the verdict has all" };

/**
 * A verdict as GitHub's workflow commands: at most ten errors and ten warnings, the last of each says how many more
 * there are (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands). Failures come first.
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
  const kind = isWarning(judgement) ? "warning" : "error";
  const title = `${id} ${judgement.title}`;
  if (findings.length === 0) return [workflowCommand(kind, { title }, reason ?? judgement.title)];
  return findings.map(({ file, line, message }) =>
    workflowCommand(kind, { file: placeOf(folder, file), line: line ?? 1, title }, message),
  );
}

/** An inconclusive SHOULD does not keep an app from being conformant. */
const isWarning = ({ status, level }: Judgement): boolean =>
  status === "warn" || (status === "inconclusive" && level === "SHOULD");
