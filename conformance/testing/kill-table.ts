import type { Judged } from "../certify/judge.ts";
import {
  GOOD_APPS,
  idOf,
  judgeGoodApp,
  judgeMutant,
  MUTANTS,
  problemWithGoodApp,
  problemWithMutant,
} from "./mutants.ts";

/** One run of a broken or a good app through the suite. */
export interface Row {
  name: string;
  kind: "mutant" | "good";
  /** From 1; the seed of the run. */
  repetition: number;
  /** The violated requirements. */
  violated: readonly string[];
  /** What is wrong; null when the suite judged as it should. */
  problem: string | null;
  /** Seconds. */
  duration: number;
}

export interface KillTableOptions {
  /** Parts of names; empty for all. */
  words: readonly string[];
  /** The share of all runs to do: number `index`, from 1, of `count`. */
  shard: { index: number; count: number };
  /** How often each good app is judged, each time with another seed. */
  repetitions: number;
  /** Rows of an earlier table, which are not run again. */
  known: readonly Row[];
  now(): number;
  /** Is called with every row as it is done. */
  onRow(row: Row): Promise<void>;
}

/** Judges all broken and good apps, and returns the rows of the table in order. */
export async function buildKillTable(options: KillTableOptions): Promise<Row[]> {
  const { words, shard, repetitions, known, now, onRow } = options;
  const wanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word));
  const mutants = Object.keys(MUTANTS).map((name) => ({ name, kind: "mutant" as const, repetition: 1 }));
  const good = Object.keys(GOOD_APPS).flatMap((name) =>
    Array.from({ length: repetitions }, (_, at) => ({ name, kind: "good" as const, repetition: at + 1 })),
  );
  const runs = [...mutants, ...good].filter(({ name }) => wanted(name));
  const rows: Row[] = [];
  for (const run of runs.filter((_, at) => at % shard.count === shard.index - 1)) {
    const same = known.find(({ name, kind, repetition }) => {
      return name === run.name && kind === run.kind && repetition === run.repetition;
    });
    if (same !== undefined) {
      rows.push(same);
      continue;
    }
    const startedAt = now();
    const row = { ...run, ...(await judgeOne(run)), duration: (now() - startedAt) / 1000 };
    rows.push(row);
    await onRow(row);
  }
  return rows;
}

async function judgeOne({ name, kind, repetition }: Pick<Row, "name" | "kind" | "repetition">) {
  const isMutant = kind === "mutant";
  const judged: readonly Judged[] = await (isMutant ? judgeMutant(name, repetition) : judgeGoodApp(name, repetition));
  const violated = judged.flatMap(({ requirement, violations }) => (violations.length > 0 ? [requirement.id] : []));
  return { violated, problem: isMutant ? problemWithMutant(name, judged) : problemWithGoodApp(judged) };
}

/** The rows as two tables of Markdown: which requirement killed which mutant, and the false alarms of each good app. */
export function formatKillTable(rows: readonly Row[]): string {
  const mutants = rows.filter(({ kind }) => kind === "mutant");
  const good = rows.filter(({ kind }) => kind === "good");
  const killed = mutants.filter(({ problem }) => problem === null);
  const names = [...new Set(good.map(({ name }) => name))];
  return [
    `Mutants killed by their own requirement and no other: ${killed.length} of ${mutants.length}.`,
    "",
    "| mutant | killed by | also violated | |",
    "|---|---|---|---|",
    ...mutants.map(({ name, violated, problem }) => {
      const own = violated.includes(idOf(name)) ? idOf(name) : "-";
      const others = violated.filter((id) => id !== idOf(name)).join(", ");
      return `| ${name} | ${own} | ${others} | ${problem ?? ""} |`;
    }),
    "",
    `False alarms: ${good.filter(({ problem }) => problem !== null).length} in ${good.length} runs of good apps.`,
    "",
    "| good app | runs | false alarms | |",
    "|---|---|---|---|",
    ...names.map((name) => {
      const own = good.filter((row) => row.name === name);
      const problems = own.flatMap(({ problem }) => problem ?? []);
      return `| ${name} | ${own.length} | ${problems.length} | ${problems[0] ?? ""} |`;
    }),
    "",
  ].join("\n");
}
