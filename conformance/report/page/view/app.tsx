import type { ThemeModel } from "../../../../daemon/dashboard/model/theme.ts";
import icon from "../../../../daemon/dashboard/public/icon.svg?inline";
import { Icon } from "../../../../daemon/dashboard/view/icons.tsx";
import type { ReportModel } from "../model/report-model.ts";
import { Headline } from "./headline.tsx";
import { PlayerView } from "./player.tsx";
import { Requirements } from "./requirements.tsx";
import { SceneList } from "./scene-list.tsx";
import { StopChart } from "./stop-chart.tsx";

/** The whole report. */
export function App({ report, theme }: { report: ReportModel; theme: ThemeModel }) {
  const { verdict } = report;
  const dark = theme.theme.value === "dark";
  return (
    <>
      <header class="header">
        <img src={icon} alt="" width="28" height="28" />
        <span class="brand">Certification</span>
        <nav aria-label="Parts of the report">
          <a href="#requirements">Requirements</a>
          {verdict.scenes.length > 0 && <a href="#scenes">Scenes</a>}
        </nav>
        <button
          type="button"
          class="icon-button"
          aria-label={dark ? "Light theme" : "Dark theme"}
          title={dark ? "Light theme" : "Dark theme"}
          onClick={() => theme.toggle()}
        >
          <Icon name={dark ? "sun" : "moon"} />
        </button>
      </header>
      <main class="page">
        <Headline verdict={verdict} />
        <StopChart verdict={verdict} />
        <section id="scenes" class="scenes" aria-label="Scenes">
          <h2 class="title">
            Scenes <span class="muted">each in a simulated robot of its own</span>
          </h2>
          {verdict.scenes.length === 0 ? (
            <p class="card muted">No scene was played: everything here was read from the app's files.</p>
          ) : (
            <>
              <SceneList report={report} />
              <PlayerView player={report.player} theme={theme} requirements={verdict.results.map(({ id }) => id)} />
            </>
          )}
        </section>
        <Requirements report={report} />
      </main>
    </>
  );
}
