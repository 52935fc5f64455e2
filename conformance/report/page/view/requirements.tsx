import { STATUS_NAMES, STATUSES } from "../model/grades.ts";
import type { ReportModel } from "../model/report-model.ts";
import { Mark } from "./mark.tsx";
import { Requirement } from "./requirement.tsx";

/** Every requirement by its group, or those of one status. */
export function Requirements({ report }: { report: ReportModel }) {
  const { verdict, filter, groups } = report;
  const chip = (status: typeof filter.value, label: string, count: number) => (
    <button
      key={label}
      type="button"
      class="chip"
      aria-pressed={filter.value === status}
      onClick={() => {
        filter.value = status;
      }}
    >
      {status && <Mark status={status} />}
      {label} <b>{count}</b>
    </button>
  );
  return (
    <section id="requirements" class="requirements" aria-label="Requirements">
      <div class="requirements-head">
        <h2 class="title">Requirements</h2>
        <fieldset class="chips" aria-label="Show only">
          {chip(null, "All", verdict.results.length)}
          {STATUSES.filter((status) => verdict.counts[status] > 0).map((status) =>
            chip(status, STATUS_NAMES[status], verdict.counts[status]),
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
              <Requirement key={result.id} result={result} scenes={verdict.scenes} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
