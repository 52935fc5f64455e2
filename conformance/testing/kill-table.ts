import { createHash } from "node:crypto";
import { join } from "node:path";
import { digestOf } from "../../daemon/apps/install/fetch/digest.ts";
import type { JudgedRequirement } from "../certify/judge.ts";
import {
  GOOD_APPS,
  idOf,
  judgeGoodApp,
  judgeMutant,
  MUTANTS,
  problemWithGoodApp,
  problemWithMutant,
  type Variant,
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
  /** Digest of the app and its changes; a row of another one is not kept. */
  app: string;
}

interface KillTableOptions {
  /** Parts of names; empty for all. */
  words: readonly string[];
  /** The share of all runs to do: number `index`, from 1, of `count`. */
  shard: { index: number; count: number };
  /** How often each good app is judged, each time with another seed. */
  repetitions: number;
  /** Test runs at a time, in each certification. */
  jobs: number;
  /** Rows of an earlier table, which are not run again. */
  known: readonly Row[];
  now(): number;
  /** Is called with every row as it is done. */
  onRow(row: Row): Promise<void>;
}

/** Judges all broken and good apps, and returns the rows of the table in order. */
export async function buildKillTable(options: KillTableOptions): Promise<Row[]> {
  const { words, shard, repetitions, jobs, known, now, onRow } = options;
  const wanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word));
  const mutants = Object.keys(MUTANTS).map((name) => ({ name, kind: "mutant" as const, repetition: 1 }));
  // Each repetition goes through all apps, so that a run that is cut off has judged all about equally often.
  const good = Array.from({ length: repetitions }, (_, at) => at + 1).flatMap((repetition) =>
    Object.keys(GOOD_APPS).map((name) => ({ name, kind: "good" as const, repetition })),
  );
  const runs = [...mutants, ...good].filter(({ name }) => wanted(name));
  const rows: Row[] = [];
  for (const run of runs.filter((_, at) => at % shard.count === shard.index - 1)) {
    const app = await digestOfVariant(run);
    const same = known.find((row) => {
      return row.name === run.name && row.kind === run.kind && row.repetition === run.repetition && row.app === app;
    });
    if (same !== undefined) {
      rows.push(same);
      continue;
    }
    const startedAt = now();
    const row = { ...run, app, ...(await judgeOne(run, jobs)), duration: (now() - startedAt) / 1000 };
    rows.push(row);
    await onRow(row);
  }
  return rows;
}

async function digestOfVariant({ name, kind }: Pick<Row, "name" | "kind">): Promise<string> {
  const variant = (kind === "mutant" ? MUTANTS : GOOD_APPS)[name] as Variant;
  const hash = createHash("sha256").update(JSON.stringify(variant));
  return hash.update(await digestOf(join("fixtures/apps", variant.app))).digest("hex");
}

async function judgeOne({ name, kind, repetition }: Pick<Row, "name" | "kind" | "repetition">, jobs: number) {
  const isMutant = kind === "mutant";
  const judged: readonly JudgedRequirement[] = await (isMutant ? judgeMutant : judgeGoodApp)(name, {
    seed: repetition,
    jobs,
  });
  const violated = judged.flatMap(({ requirement, violations }) => (violations.length > 0 ? [requirement.id] : []));
  return { violated, problem: isMutant ? problemWithMutant(name, judged) : problemWithGoodApp(judged) };
}

/** The rows as two tables of Markdown: which requirement killed which mutant, and the false alarms of each good app. */
export function formatKillTable(rows: readonly Row[]): string {
  const mutants = rows.filter(({ kind }) => kind === "mutant");
  const good = rows.filter(({ kind }) => kind === "good");
  const killed = mutants.filter(({ problem }) => problem === null);
  const ids = [...new Set(mutants.map(({ name }) => idOf(name)))];
  const names = [...new Set(good.map(({ name }) => name))];
  const all = Object.keys(MUTANTS).length;
  const left = mutants.length < all ? ` Not run: ${all - mutants.length} of ${all}.` : "";
  return [
    `Broken apps that their own requirement caught, and no other one: ${killed.length} of ${mutants.length}.${left}`,
    "",
    "| requirement | broken apps that it caught | missed, or others violated |",
    "|---|---|---|",
    ...ids.map((id) => {
      const own = mutants.filter(({ name }) => idOf(name) === id);
      const short = ({ name }: Row) => name.slice(id.length + 1);
      const others = (row: Row) => row.violated.filter((each) => each !== id);
      const caught = own.filter(({ violated }) => violated.includes(id)).map(short);
      const notes = own.flatMap((row) => {
        if (row.problem !== null) return [`${short(row)}: ${row.problem}`];
        return others(row).length === 0 ? [] : [`${short(row)}: ${others(row).join(", ")}, which follows from it`];
      });
      return `| ${id} | ${caught.join(", ")} | ${notes.map(cell).join("; ")} |`;
    }),
    "",
    `False alarms: ${good.filter(({ problem }) => problem !== null).length} in ${good.length} runs of ${names.length} good apps.`,
    "",
    ...goodAppLines(good, names),
    "",
  ].join("\n");
}

/** Good apps without false alarms by how often they ran; a row for each of the others. */
function goodAppLines(good: readonly Row[], names: readonly string[]): string[] {
  const apps = names.map((name) => {
    const own = good.filter((row) => row.name === name);
    return { name, runs: own.length, problems: own.flatMap(({ problem }) => problem ?? []) };
  });
  const quiet = apps.filter(({ problems }) => problems.length === 0);
  const counts = [...new Set(quiet.map(({ runs }) => runs))];
  const lines = counts.map((count) => {
    const same = quiet.filter(({ runs }) => runs === count).map(({ name }) => name);
    return `Without a false alarm in ${count} runs each: ${same.join(", ")}.`;
  });
  const loud = apps.filter(({ problems }) => problems.length > 0);
  if (loud.length === 0) return lines;
  const rows = loud.map(({ name, runs, problems: [first = "", ...more] }) => {
    return `| ${name} | ${runs} | ${1 + more.length} | ${cell(first)} |`;
  });
  return [...lines, "", "| good app | runs | false alarms | |", "|---|---|---|---|", ...rows];
}

const cell = (text: string): string => text.replaceAll("\n", " ").replaceAll("|", "\\|");
