import { OUTCOMES, type PromptFormat, type Result } from "./run-task.ts";

/** A task that was done. */
export interface Row extends PromptFormat, Result {
  name: string;
  model: string;
  /** Digest of the task; a row of another one does not count. */
  task: string;
}

/** The format of a row as the table has it. */
const formatOf = ({ format, instruct }: PromptFormat): string => (instruct ? "instructed" : format);

/** Rows are of the same task and way of asking when their keys are equal. */
export const rowKey = (row: Pick<Row, "name" | "model" | "task" | keyof PromptFormat>): string =>
  [row.name, row.model, formatOf(row), row.task].join(" ");

/**
 * A table in Markdown: for each model and format the outcomes, pass@1, and the tokens and seconds of an answer. Tasks that
 * could not be judged or asked do not count in pass@1.
 */
export function formatTable(rows: readonly Row[]): string {
  const groups = groupsOf(rows);
  const lines = [...groups].map(([group, own]) => {
    const counts = OUTCOMES.map((outcome) => own.filter((row) => row.outcome === outcome).length);
    const counted = own.filter(({ outcome }) => outcome !== "not judged" && outcome !== "left out");
    const passed = counted.filter(({ outcome }) => outcome === "passed").length;
    const rate = counted.length === 0 ? "" : `${((100 * passed) / counted.length).toFixed(1)} %`;
    const tokens = counted.flatMap((row) => row.tokens ?? []);
    const seconds = counted.map((row) => row.seconds);
    const cells = [group, own.length, ...counts, rate, average(tokens), average(seconds, 1)];
    return `| ${cells.join(" | ")} |`;
  });
  const header = ["model", "format", "tasks", ...OUTCOMES, "pass@1", "tokens", "seconds"];
  return [`| ${header.join(" | ")} |`, `|${"---|".repeat(header.length)}`, ...lines, ""].join("\n");
}

function groupsOf(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = `${row.model} | ${formatOf(row)}`;
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return groups;
}

const average = (values: readonly number[], digits = 0): string =>
  values.length === 0 ? "" : (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(digits);
