import type { ReportModel } from "../report-model.ts";
import { OUTCOME_NAMES, OUTCOMES } from "../verdict/grades.ts";
import { StatusIcon } from "../verdict/status-icon.tsx";
import { Requirement } from "./requirement.tsx";
import "./requirements.css";

/** The requirements by group, with buttons that show only one status. */
export function Requirements({ report }: { report: ReportModel }) {
  const { verdict, filter, groups } = report;
  const filterButton = (status: typeof filter.value, label: string, count: number) => (
    <button
      key={label}
      type="button"
      class="button filter-button"
      aria-pressed={filter.value === status}
      onClick={() => {
        filter.value = status;
      }}
    >
      {status && <StatusIcon status={status} />}
      {label} <b>{count}</b>
    </button>
  );
  return (
    <section id="requirements" class="requirements" aria-label="Requirements">
      <div class="requirements-head">
        <h2 class="title">Requirements</h2>
        <fieldset class="filters" aria-label="Show only">
          {filterButton(null, "All", verdict.results.length)}
          {OUTCOMES.filter((status) => verdict.counts[status] > 0).map((status) =>
            filterButton(status, OUTCOME_NAMES[status], verdict.counts[status]),
          )}
        </fieldset>
      </div>
      {groups.value.map(({ prefix, title, results }) => (
        <section key={prefix} class="card group" aria-label={title}>
          <h3>
            {title} <span class="muted">{prefix}</span>
          </h3>
          <ul>
            {results.map((result) => (
              <Requirement key={result.id} result={result} testRuns={verdict.testRuns} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
