import { ThemeButton } from "../../../ui/components/theme-button.tsx";
import icon from "../../../ui/theme/icon.svg?inline";
import type { ThemeModel } from "../../../ui/theme/theme-model.ts";
import type { CataloguePageData } from "../page-file.ts";
import { AppTable } from "./app-table.tsx";
import { Regressions } from "./regressions.tsx";

/** Page of one catalogue run: counts, changes, table of apps. */
export function App({ data, theme }: { data: CataloguePageData; theme: ThemeModel }) {
  const { run, comparison } = data;
  const cpu = run.apps.reduce((sum, { cost, known }) => sum + (known ? 0 : (cost?.cpuSeconds ?? 0)), 0);
  return (
    <>
      <header class="header">
        <span class="brand">
          <img src={icon} alt="" width="28" height="28" />
          Catalogue
        </span>
        <ThemeButton theme={theme} />
      </header>
      <main class="page">
        <section class="card" aria-label="The run">
          <h1 class="title">
            {run.apps.length} apps <span class="muted">{run.catalogue}</span>
          </h1>
          <dl class="counts">
            {Object.entries(run.counts).map(([verdict, count]) => (
              <div key={verdict} class={`count ${verdict}`}>
                <dt>{verdict}</dt>
                <dd>
                  {count}
                  <Trend now={count} before={comparison?.before.counts[verdict as keyof typeof run.counts]} />
                </dd>
              </div>
            ))}
          </dl>
          <p class="muted">
            tier {run.tier}, suite {run.suite}, {run.startedAt.slice(0, 19).replace("T", " ")} UTC,{" "}
            {Math.round(run.duration)} s, {Math.round(cpu)} s of processor time for new verdicts
          </p>
        </section>
        {comparison !== null && <Regressions comparison={comparison} />}
        <AppTable apps={run.apps} comparison={comparison} />
      </main>
    </>
  );
}

function Trend({ now, before }: { now: number; before: number | undefined }) {
  if (before === undefined || before === now) return null;
  const sign = now > before ? "+" : "−";
  return (
    <small class="muted">
      {" "}
      {sign}
      {Math.abs(now - before)}
    </small>
  );
}
