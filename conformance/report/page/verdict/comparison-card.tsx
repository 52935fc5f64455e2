import { type Change, type Comparison, formatDistribution } from "../../compare.ts";

/** What got better or worse since an earlier verdict. */
export function ComparisonCard({ comparison }: { comparison: Comparison }) {
  const { verdict, suites, better, worse, appeared, vanished, stops } = comparison;
  const isSame = better.length + worse.length + appeared.length + vanished.length === 0;
  return (
    <section class="card" id="comparison" aria-label="Compared with an earlier verdict">
      <h2 class="title">
        Compared with before{" "}
        <span class="muted">
          {verdict.before} → {verdict.after}
          {suites !== null && `; suite ${suites.before} → ${suites.after}, so results need not mean the same`}
        </span>
      </h2>
      <Changes name="Worse" changes={worse} />
      <Changes name="Better" changes={better} />
      <Changes name="New" changes={appeared} />
      <Changes name="Gone" changes={vanished} />
      {isSame && <p>No outcome changed.</p>}
      <p>
        Time to stop: {formatDistribution(stops.before)} → {formatDistribution(stops.after)}
      </p>
    </section>
  );
}

function Changes({ name, changes }: { name: string; changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {changes.map(({ id, title, before, after }) => (
          <li key={id}>
            <a href={`#${id}`}>{id}</a> {title}: {before ?? "-"} → {after ?? "-"}
          </li>
        ))}
      </ul>
    </>
  );
}
