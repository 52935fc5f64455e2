import type { RunEntry } from "../run/catalogue-run.ts";

/** The columns by which apps can be sorted, with the value that counts. */
export const SORT_COLUMNS = {
  name: ({ name }: RunEntry) => name,
  verdict: ({ verdict }: RunEntry) => verdict,
  problems: ({ problems }: RunEntry) => problems.length,
  seconds: ({ cost }: RunEntry) => cost?.seconds ?? 0,
  cpu: ({ cost }: RunEntry) => cost?.cpuSeconds ?? 0,
  certified: ({ certifiedAt }: RunEntry) => certifiedAt ?? "",
};
export type Column = keyof typeof SORT_COLUMNS;

/** Which apps are shown, and in which order. */
export interface Selection {
  /** Words that must all occur in the name, the verdict, a requirement or a message; in any case of letters. */
  text: string;
  /** Null for all. */
  verdict: RunEntry["verdict"] | null;
  sort: Column;
  descending: boolean;
}

/** The apps that fit, sorted; equal ones by name. */
export function selectRows(apps: readonly RunEntry[], { text, verdict, sort, descending }: Selection): RunEntry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fitting = apps.filter((app) => {
    const all = [
      app.name,
      app.verdict,
      app.failure?.message,
      ...app.problems.map(({ id, message }) => `${id} ${message}`),
    ];
    const searched = all.join("\n").toLowerCase();
    return (verdict === null || app.verdict === verdict) && words.every((word) => searched.includes(word));
  });
  const direction = descending ? -1 : 1;
  return fitting.sort((one, other) => {
    const [a, b] = [SORT_COLUMNS[sort](one), SORT_COLUMNS[sort](other)];
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return direction * order || one.name.localeCompare(other.name);
  });
}
