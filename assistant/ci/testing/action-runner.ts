import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

interface Step {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string | number>;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
}

interface Action {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

interface ActionRun {
  /** Whether no step failed. */
  succeeded: boolean;
  outputs: Record<string, string>;
  /** What the steps printed. */
  log: string;
  /** The job's summary. */
  summary: string;
  /** The actions that ran, with what they were given. */
  used: { uses: string; with: Record<string, string> }[];
  /** Names of the steps that failed. */
  failed: string[];
}

interface RunActionOptions {
  /** Folder of the action. */
  action: string;
  workspace: string;
  /** The runner's temporary folder. */
  temp: string;
  inputs: Record<string, string>;
  /** Facts of the event, for example github.event_name. */
  github?: Record<string, string>;
  env: NodeJS.ProcessEnv;
}

/**
 * Executes a composite action as GitHub's runner does: conditions, expressions, `bash -eo pipefail` with a script's file,
 * and the files for outputs, environment, path and summary
 * (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#environment-files). Other actions
 * that it uses are noted and not run.
 */
export function runAction(options: RunActionOptions): ActionRun {
  const action = parse(readFileSync(path.join(options.action, "action.yml"), "utf8")) as Action;
  if (action.runs.using !== "composite") throw new Error("not a composite action");
  const defaults = Object.entries(action.inputs).map(([name, { default: value = "" }]) => [name, value] as const);
  const inputs: Record<string, string> = { ...Object.fromEntries(defaults), ...options.inputs };
  const unknown = Object.keys(options.inputs).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`unknown inputs: ${unknown.join(", ")}`);
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const github = { action_path: options.action, action_ref: "v1", event_name: "push", ...options.github };
  const run: ActionRun = { succeeded: true, outputs: {}, log: "", summary: "", used: [], failed: [] };
  let env = { ...options.env };
  const context = () => ({ inputs, steps, github, runner: { os: "Linux", temp: options.temp }, ok: run.succeeded });

  action.runs.steps.forEach((step, index) => {
    if (!condition(step.if, context())) return;
    if (step.uses !== undefined) {
      const given = Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(String(value), context())]);
      run.used.push({ uses: step.uses, with: Object.fromEntries(given) });
      return;
    }
    const folder = path.join(options.temp, `_step${index}`);
    mkdirSync(folder, { recursive: true });
    const file = (name: string): string => path.join(folder, name);
    for (const name of ["output", "env", "path", "summary"]) writeFileSync(file(name), "");
    writeFileSync(file("script.sh"), fill(step.run ?? "", context()));
    const own = Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value, context())]);
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", file("script.sh")],
      {
        cwd: options.workspace,
        encoding: "utf8",
        maxBuffer: 1e8,
        env: {
          ...env,
          ...Object.fromEntries(own),
          CI: "true",
          GITHUB_ACTIONS: "true",
          GITHUB_WORKSPACE: options.workspace,
          RUNNER_TEMP: options.temp,
          GITHUB_OUTPUT: file("output"),
          GITHUB_ENV: file("env"),
          GITHUB_PATH: file("path"),
          GITHUB_STEP_SUMMARY: file("summary"),
        },
      },
    );
    run.log += stdout + stderr;
    run.summary += readFileSync(file("summary"), "utf8");
    env = { ...env, ...readPairs(file("env")) };
    if (step.id !== undefined) steps[step.id] = { outputs: readPairs(file("output")) };
    if (status !== 0) {
      run.succeeded = false;
      run.failed.push(step.name ?? step.id ?? String(index));
    }
  });
  for (const [name, { value }] of Object.entries(action.outputs)) run.outputs[name] = fill(value, context());
  return run;
}

type Context = Record<string, unknown>;

function readPairs(file: string): Record<string, string> {
  const lines = readFileSync(file, "utf8").split("\n");
  return Object.fromEntries(lines.filter((line) => line.includes("=")).map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** Replaces the expressions of a text. */
const fill = (text: string, context: Context): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(evaluate(expression, context)));

/** Without a condition, a step runs while nothing failed. */
function condition(expression: string | undefined, context: Context): boolean {
  if (expression === undefined) return context.ok === true;
  const asks = /\b(?:always|failure|cancelled|success)\(\)/.test(expression);
  return (asks || context.ok === true) && evaluate(expression, context) !== false;
}

/** As much of GitHub's expressions as the action uses: names, texts, ==, !=, &&, || and always(). */
function evaluate(expression: string, context: Context): unknown {
  for (const [operator, join] of [
    ["||", (one: unknown, other: () => unknown) => one || other()],
    ["&&", (one: unknown, other: () => unknown) => (one ? other() : one)],
  ] as const) {
    const at = expression.indexOf(operator);
    if (at >= 0)
      return join(evaluate(expression.slice(0, at), context), () => evaluate(expression.slice(at + 2), context));
  }
  const compared = /^(.*?)(==|!=)(.*)$/.exec(expression);
  if (compared !== null) {
    const [, left = "", operator, right = ""] = compared;
    return (evaluate(left, context) === evaluate(right, context)) === (operator === "==");
  }
  const text = expression.trim();
  if (/^'.*'$/.test(text)) return text.slice(1, -1);
  if (text === "always()") return true;
  if (!/^[\w-]+(?:\.[\w-]+)+$/.test(text)) throw new Error(`the runner of this test does not know ${text}`);
  return text.split(".").reduce<unknown>((inner, key) => (inner as Context | undefined)?.[key], context) ?? "";
}
