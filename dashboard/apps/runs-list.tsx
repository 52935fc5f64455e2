import type { AppRun } from "../../robot/wire/apps/app-run.ts";
import { IconButton } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { formatDuration, stripColours } from "../../ui/format/format.ts";
import { usePage } from "../shell/context.ts";

/** Runs that are shown at most. */
const SHOWN = 20;

const dateAndTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** The runs of an app, with their logs. */
export function RunsList({ app, runs }: { app: string; runs: readonly AppRun[] }) {
  const { slot } = usePage().dashboard;
  const current = slot.status.value?.info.name;
  if (runs.length === 0) return <p class="muted">It has not run yet, or its log has been replaced since.</p>;
  return (
    <ul class="runs" aria-label={`Runs of ${app}`}>
      {runs.slice(0, SHOWN).map((run, index) => (
        <RunRow key={run.started} app={app} run={run} runs={index === 0 && slot.busy.value && current === app} />
      ))}
    </ul>
  );
}

function RunRow({ app, run, runs }: { app: string; run: AppRun; runs: boolean }) {
  const { dashboard } = usePage();
  const when = dateAndTime.format(run.started);
  const lasted = run.ended === null ? null : formatDuration(run.ended - run.started);
  return (
    <li class="run">
      <p>
        <b>{when}</b>
        <span class="muted">
          {[
            run.result ?? (runs ? "runs now" : "no end in the log"),
            lasted,
            run.lines === 1 ? "1 line" : `${run.lines} lines`,
          ]
            .filter((text) => text !== null)
            .join(" · ")}
        </span>
        {run.cause !== null && <span class="run-cause">{stripColours(run.cause)}</span>}
      </p>
      <IconButton
        icon="copy"
        label={`Copy the run of ${when} for an issue`}
        title="Copy for an issue"
        onClick={() => void dashboard.appDetails.copyIssue(run, dashboard.robot.version.value)}
      />
      <a
        class="icon-button"
        href={`./api/apps/logs/${encodeURIComponent(app)}?run=${run.started}&lines=5000&format=text`}
        download={`${app}-${new Date(run.started).toISOString().replace(/[:.]/g, "-")}.log`}
        aria-label={`Download the log of ${when}`}
        title="Download the log"
      >
        <Icon name="down" />
      </a>
    </li>
  );
}
