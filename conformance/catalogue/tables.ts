import { escapeMarkdown } from "../../assistant/escape-markdown.ts";
import { escapeHtml } from "../../daemon/http/pages/page.ts";
import { builtPage } from "../outputs/page-file.ts";
import type { RunComparison } from "./compare/compare-runs.ts";
import type { CatalogueRun, RunEntry } from "./run/catalogue-run.ts";

/** A run, and what changed since an earlier one; null without one. */
interface ComparedRun {
  run: CatalogueRun;
  comparison: RunComparison | null;
}

interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

const PLACE = "<!-- catalogue -->";

/** A run as Markdown: counts, what changed, and a row for each app. */
export function catalogueMarkdown(compared: ComparedRun): string {
  const tables = tablesOf(compared).flatMap(({ title, columns, rows }) => [
    `## ${title}`,
    "",
    `| ${columns.join(" | ")} |`,
    `|${columns.map(() => "---|").join("")}`,
    ...rows.map((row) => `| ${row.map(escapeMarkdown).join(" | ")} |`),
    "",
  ]);
  return [`# ${titleOf(compared.run)}`, "", escapeMarkdown(subtitleOf(compared.run)), "", ...tables].join("\n");
}

/** The same as one HTML file. @throws WorkbenchError `internal` when its frame was never built */
export async function cataloguePage(compared: ComparedRun): Promise<string> {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  const tables = tablesOf(compared).map(
    ({ title, columns, rows }) =>
      `<h2>${title}</h2><table><thead>${cells("th", columns)}</thead><tbody>${rows.map((row) => cells("td", row)).join("\n")}</tbody></table>`,
  );
  const head = `<h1>${titleOf(compared.run)}</h1><p class="muted">${escapeHtml(subtitleOf(compared.run))}</p>`;
  const parts = (await builtPage("catalogue")).split(PLACE);
  return parts.join(`<main class="page">${head}${tables.join("\n")}</main>`);
}

const titleOf = ({ apps, counts }: CatalogueRun): string =>
  [
    `${apps.length} apps`,
    ...Object.entries(counts).flatMap(([name, count]) => (count > 0 ? `${count} ${name}` : [])),
  ].join(", ");

const subtitleOf = ({ catalogue, tier, suite, startedAt, duration }: CatalogueRun): string =>
  `${catalogue}, tier ${tier}, suite ${suite}, ${timeOf(startedAt)}, ${Math.round(duration)} s`;

const timeOf = (iso: string | null): string => (iso === null ? "" : `${iso.slice(0, 16).replace("T", " ")} UTC`);

function tablesOf({ run, comparison }: ComparedRun): Table[] {
  const changed = [
    { title: "Worse", changes: comparison?.worse ?? [] },
    { title: "Better", changes: comparison?.better ?? [] },
  ].map(({ title, changes }) => ({
    title: `${title} since ${timeOf(comparison?.before.startedAt ?? null)}`,
    columns: ["app", "before", "now", "newly violated", "files changed"],
    rows: changes.map(({ name, before, after, broke, filesChanged }) => {
      return [name, before, after, broke.join(", "), filesChanged ? "yes" : "no"];
    }),
  }));
  const causes = {
    title: "Causes",
    columns: ["requirement", "apps", "what was found"],
    rows: (comparison?.causes ?? []).map(({ requirement, apps, message }) => [requirement, apps.join(", "), message]),
  };
  const apps = {
    title: "Apps",
    columns: ["app", "verdict", "what was found", "seconds", "certified"],
    rows: run.apps.map((app) => [app.name, app.verdict, foundIn(app), secondsOf(app), timeOf(app.certifiedAt)]),
  };
  return [...[...changed, causes].filter(({ rows }) => rows.length > 0), apps];
}

const foundIn = ({ problems, failure }: RunEntry): string =>
  [...problems.map(({ id, message }) => `${id}: ${message}`), ...(failure === null ? [] : [failure.message])].join(" ");

const secondsOf = ({ cost }: RunEntry): string => cost?.seconds.toFixed(1) ?? "";
