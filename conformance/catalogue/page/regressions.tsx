import type { RunComparison, VerdictChange } from "../compare/compare-runs.ts";

/** What changed since the run before, by its causes. */
export function Regressions({ comparison }: { comparison: RunComparison }) {
  const { before, after, causes, worse, better, other, appeared, vanished } = comparison;
  const suites = before.suite === after.suite ? "" : `; suite ${before.suite} → ${after.suite}`;
  return (
    <section class="card" id="changes" aria-label="Changes since the run before">
      <h2 class="title">
        Changes{" "}
        <span class="muted">
          since {before.startedAt.slice(0, 16).replace("T", " ")} UTC{suites}
        </span>
      </h2>
      <p>
        {worse.length} worse, {better.length} better, {other.length} other, {appeared.length} new, {vanished.length}{" "}
        gone
      </p>
      {causes.map(({ id, requirement, title, message, traceback, apps }) => (
        <details key={id} class="cause">
          <summary>
            <b>{requirement}</b> {apps.length} {apps.length === 1 ? "app" : "apps"}: <bdi>{message.split("\n")[0]}</bdi>
          </summary>
          <p class="muted">{title}</p>
          {traceback !== null && <pre>{traceback}</pre>}
          <p>
            <bdi>{apps.join(", ")}</bdi>
          </p>
        </details>
      ))}
      <Changes name="Worse" changes={worse} />
      <Changes name="Better" changes={better} />
      <Changes name="Other" changes={other} />
    </section>
  );
}

function Changes({ name, changes }: { name: string; changes: readonly VerdictChange[] }) {
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>
        {name}: {changes.length}
      </summary>
      <ul>
        {changes.map((change) => (
          <li key={change.name}>
            <bdi>{change.name}</bdi>: {change.before} → {change.after}
            {change.broke.length > 0 && `, breaks ${change.broke.join(", ")}`}
            {change.filesChanged && <span class="muted">, its files changed</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
