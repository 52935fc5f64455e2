import { signal } from "@preact/signals";
import type { RunComparison } from "../compare/compare-runs.ts";
import type { RunEntry } from "../run/catalogue-run.ts";
import { type Column, type Selection, SORT_COLUMNS, selectRows } from "./rows.ts";

/** Rows that are shown at first, and that are added at a time. */
const STEP = 200;
const VERDICTS: readonly RunEntry["verdict"][] = ["not-conformant", "error", "inconclusive", "conformant"];

const selection = signal<Selection>({ text: "", verdict: null, sort: "name", descending: false });
const shown = signal(STEP);
const change = (changes: Partial<Selection>): void => {
  selection.value = { ...selection.value, ...changes };
  shown.value = STEP;
};

/** All apps, to filter and sort. */
export function AppTable({ apps, comparison }: { apps: readonly RunEntry[]; comparison: RunComparison | null }) {
  const { text, verdict } = selection.value;
  const rows = selectRows(apps, selection.value);
  const changes = new Map(
    [comparison?.worse, comparison?.better, comparison?.other]
      .flatMap((list) => list ?? [])
      .map((each) => [each.name, each]),
  );
  return (
    <section class="card" id="apps" aria-label="Apps">
      <h2 class="title">
        Apps{" "}
        <span class="muted" aria-live="polite">
          {rows.length} of {apps.length}
        </span>
      </h2>
      <div class="filter">
        <input
          type="search"
          aria-label="Filter by name, requirement or message"
          placeholder="Filter by name, requirement or message"
          value={text}
          onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        <select
          aria-label="Verdict"
          value={verdict ?? ""}
          onChange={({ currentTarget: { value } }) => change({ verdict: (value || null) as Selection["verdict"] })}
        >
          <option value="">all verdicts</option>
          {VERDICTS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </div>
      <table>
        <thead>
          <tr>
            {(Object.keys(SORT_COLUMNS) as Column[]).map((column) => (
              <Heading key={column} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown.value).map((app) => (
            <Row key={app.source} app={app} before={changes.get(app.name)?.before ?? null} />
          ))}
        </tbody>
      </table>
      {rows.length > shown.value && (
        <button type="button" onClick={() => (shown.value += STEP)}>
          Show {Math.min(STEP, rows.length - shown.value)} more
        </button>
      )}
    </section>
  );
}

function Heading({ column }: { column: Column }) {
  const { sort, descending } = selection.value;
  const isSorted = sort === column;
  const order = isSorted ? (descending ? "descending" : "ascending") : "none";
  return (
    <th aria-sort={order}>
      <button type="button" onClick={() => change({ sort: column, descending: isSorted && !descending })}>
        {column}
        {isSorted ? (descending ? " ↓" : " ↑") : ""}
      </button>
    </th>
  );
}

function Row({ app, before }: { app: RunEntry; before: string | null }) {
  const { name, verdict, problems, cost, certifiedAt, failure } = app;
  const hasDetails = problems.length > 0 || failure !== null;
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
      </td>
      <td>
        <span class={`verdict ${verdict}`}>{verdict}</span>
        {before !== null && before !== verdict && <small class="muted"> was {before}</small>}
      </td>
      <td>{hasDetails && <Details app={app} />}</td>
      <td class="figure">{cost === null ? "" : cost.seconds.toFixed(1)}</td>
      <td class="figure">{cost === null ? "" : cost.cpuSeconds.toFixed(1)}</td>
      <td class="muted">{certifiedAt?.slice(0, 16).replace("T", " ") ?? ""}</td>
    </tr>
  );
}

function Details({ app: { problems, failure } }: { app: RunEntry }) {
  const ids = problems.map(({ id }) => id).join(", ");
  const failures = failure === null ? [] : [failure];
  return (
    <details>
      <summary>{ids || failures[0]?.kind}</summary>
      <ul>
        {problems.map(({ id, status, message, file, line, traceback }) => (
          <li key={id}>
            <b>{id}</b> {status}: <bdi>{message}</bdi>{" "}
            {file !== null && <span class="muted">{`${file}${line === null ? "" : `:${line}`}`}</span>}
            {traceback !== null && <pre>{traceback}</pre>}
          </li>
        ))}
        {failures.map(({ kind, message, output }, index) => (
          <li key={index}>
            <b>{kind}</b>: <bdi>{message}</bdi>
            {output !== "" && <pre>{output}</pre>}
          </li>
        ))}
      </ul>
    </details>
  );
}
