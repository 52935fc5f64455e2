// npm run robot-edit -- [--server-url URL] [--model NAME] [--format wf|lc|sr | --instruct] [--jobs 2] [--timeout 300] [--again]
// [NAME...]: lets a model repair the broken apps of fixtures/broken-apps whose names have one of the words, each with one answer
// to what certify says, and judges each by the requirement that it violates. Prints pass@1, tokens and seconds by format. Tasks
// that are done are kept in artifacts/robot-edit.jsonl and not run again, unless the task has changed or --again is given.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { openModel } from "../../assistant/commands/model/options.ts";
import { MUTANTS } from "../../conformance/testing/mutants.ts";
import { FORMATS, formatOfModel, isTrainedByName } from "../../edit/formats/format.ts";
import { isTrainedForEdits } from "../../edit/model/probe.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { buildPrograms, checkNode } from "../../scripts/setup/prepare.mjs";
import { interruption, StepFailed, script } from "../../scripts/setup/steps.mjs";
import { appendRow, readRows } from "../mutants/rows.ts";
import { digestOfTask, type PromptFormat, runTask } from "./run-task.ts";
import { formatTable, type Row, rowKey } from "./table.ts";

const FILE = "artifacts/robot-edit.jsonl";

await script(() =>
  run().catch((error: unknown) => {
    const isExpected =
      error instanceof WorkbenchError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
    throw isExpected ? new StepFailed((error as Error).message) : error;
  }),
);

async function run(): Promise<void> {
  checkNode();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "server-url": { type: "string" },
      model: { type: "string" },
      format: { type: "string" },
      instruct: { type: "boolean", default: false },
      jobs: { type: "string", default: "2" },
      timeout: { type: "string", default: "300" },
      again: { type: "boolean", default: false },
    },
  });
  const { model: wanted, again } = values;
  const [jobs, timeout] = [Number(values.jobs), Number(values.timeout)];
  const serverUrl = values["server-url"];
  const format = FORMATS.find((each) => each === values.format);
  const names = Object.keys(MUTANTS).filter(
    (name) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  );
  if ((values.format !== undefined && format === undefined) || !(jobs >= 1) || !(timeout >= 1))
    throw new StepFailed(`--format is ${FORMATS.join(", ")}, --jobs and --timeout are numbers from 1.`);
  if (names.length === 0)
    throw new StepFailed(`No broken app of fixtures/broken-apps has ${positionals.join(" or ")} in its name.`);
  await buildPrograms();
  const { signal } = interruption;
  // Not streamed: streams have no count of tokens.
  const flags = { timeout, stream: false, ...(serverUrl ? { serverUrl } : {}), ...(wanted ? { model: wanted } : {}) };
  const client = await openModel(flags, { cwd: process.cwd(), env: process.env, signal });
  const { model } = client;
  const instruct =
    values.instruct || (format === undefined && !isTrainedByName(model) && !(await isTrainedForEdits(client, signal)));
  const promptFormat: PromptFormat = { format: format ?? formatOfModel(model), instruct };
  mkdirSync("artifacts", { recursive: true });
  const known = new Map((readRows(FILE, rowKey) as Row[]).map((row) => [rowKey(row), row]));
  const rows: Row[] = [];
  for (const name of names) {
    signal.throwIfAborted();
    const task = { name, model, ...promptFormat, task: await digestOfTask(name) };
    const done = again ? undefined : known.get(rowKey(task));
    const row = done ?? {
      ...task,
      ...(await runTask(name, { ...promptFormat, client, signal, jobs, now: () => performance.now() })),
    };
    if (done === undefined) appendRow(FILE, row);
    rows.push(row);
    console.error(`${row.outcome.padEnd(10)} ${name} ${done ? "(done before) " : ""}${row.detail}`);
  }
  console.log(formatTable(rows));
}
