import { resolve } from "node:path";
import { cleanEnvironment } from "../runner/app/clean-environment.ts";
import { probeIsolation } from "../runner/isolation/probe-isolation.ts";
import { CHEATING_APPS, certifyCheat, problemWithCheat } from "./cheating.ts";
import { HOST } from "./mutants.ts";

/** One certification of a cheating app. */
export interface CheatingRow {
  name: string;
  does: string;
  /** The verdict; null when it was not run, because there is no bubblewrap. */
  verdict: string | null;
  sandbox: string;
  /** The requirements that failed. */
  failed: readonly string[];
  /** What is wrong; null when it ended without a certificate, for the right reason. */
  problem: string | null;
}

/**
 * Certifies the cheating apps whose names contain one of the words; all for none.
 * @param report is called with each row as it is done
 */
export async function buildCheatingTable(
  words: readonly string[],
  report: (row: CheatingRow) => void,
): Promise<CheatingRow[]> {
  const hasBubblewrap = await bubblewrapWorks();
  const rows: CheatingRow[] = [];
  for (const [name, { does, dangerous }] of Object.entries(CHEATING_APPS)) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const row = { name, does, ...(dangerous && !hasBubblewrap ? NOT_RUN : await judgeCheat(name)) };
    rows.push(row);
    report(row);
  }
  return rows;
}

const NOT_RUN = { verdict: null, sandbox: "none", failed: [], problem: "not run: it needs bubblewrap" };

async function judgeCheat(name: string): Promise<Omit<CheatingRow, "name" | "does">> {
  const verdict = await certifyCheat(name, { failFast: true });
  const failed = verdict.results.filter(({ status }) => status === "fail").map(({ id }) => id);
  const problem = problemWithCheat(name, verdict);
  return { verdict: verdict.verdict, sandbox: verdict.isolation.sandbox, failed, problem };
}

async function bubblewrapWorks(): Promise<boolean> {
  const venv = await cleanEnvironment(resolve("artifacts/certification"), HOST, (_, work) => work());
  return (await probeIsolation({ venv, allowNetwork: false, host: HOST })).bubblewrap !== null;
}

/** The rows as a table of Markdown. */
export function formatCheatingTable(rows: readonly CheatingRow[]): string {
  const certified = rows.filter(({ verdict }) => verdict === "conformant").length;
  const all = Object.keys(CHEATING_APPS).length;
  const left = rows.length < all ? ` Not run: ${all - rows.length} of ${all}.` : "";
  return [
    `Certificates for cheating apps: ${certified} of ${rows.length}.${left}`,
    "",
    "| app | what it does | sandbox | verdict | failed | |",
    "|---|---|---|---|---|---|",
    ...rows.map(({ name, does, verdict, sandbox, failed, problem }) => {
      return `| ${name} | ${does} | ${sandbox} | ${verdict ?? "not run"} | ${failed.join(", ")} | ${problem ?? ""} |`;
    }),
    "",
  ].join("\n");
}
