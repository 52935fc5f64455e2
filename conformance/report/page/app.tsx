import { ThemeButton } from "../../../ui/components/theme-button.tsx";
import icon from "../../../ui/theme/icon.svg?inline";
import type { ThemeModel } from "../../../ui/theme/theme-model.ts";
import { PlayerCard } from "./player/player-card.tsx";
import { TestRunList } from "./player/test-run-list.tsx";
import type { ReportModel } from "./report-model.ts";
import { Requirements } from "./requirements/requirements.tsx";
import { VerdictCard } from "./verdict/verdict-card.tsx";

/** The whole report. */
export function App({ report, theme }: { report: ReportModel; theme: ThemeModel }) {
  const { verdict } = report;
  return (
    <>
      <header class="header">
        <span class="brand">
          <img src={icon} alt="" width="28" height="28" />
          Certification
        </span>
        <nav aria-label="Parts of the report">
          <a href="#requirements">Requirements</a>
          {verdict.testRuns.length > 0 && <a href="#test-runs">Test runs</a>}
        </nav>
        <ThemeButton theme={theme} />
      </header>
      <main class="page">
        <VerdictCard verdict={verdict} />
        <section id="test-runs" class="test-runs" aria-label="Test runs">
          <h2 class="title">
            Test runs <span class="muted">each with its own simulated robot</span>
          </h2>
          {verdict.testRuns.length === 0 ? (
            <p class="card muted">No test ran: every result comes from the app's files.</p>
          ) : (
            <>
              <TestRunList report={report} />
              <PlayerCard player={report.player} theme={theme} requirements={verdict.results.map(({ id }) => id)} />
            </>
          )}
        </section>
        <Requirements report={report} />
      </main>
    </>
  );
}
