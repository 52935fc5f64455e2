import { stripColours } from "../../../../ui/format/format.ts";
import { countAppTests } from "../../../verdict/describe.ts";
import type { AppTests } from "../../../verdict/verdict.ts";
import { StatusIcon } from "./status-icon.tsx";

/** The result of the app's own tests, on which the verdict does not depend. */
export function AppTestsCard({ tests }: { tests: AppTests }) {
  const { failed, failures, problem } = tests;
  const isGood = failed === 0 && problem === null;
  return (
    <section class="card" id="app-tests" aria-label="The app's own tests">
      <h2 class="title">
        The app's own tests <span class="muted">the verdict does not depend on them</span>
      </h2>
      <ul class="problems">
        <li>
          <StatusIcon status={isGood ? "pass" : "warn"} />
          <b>{countAppTests(tests)}</b>
        </li>
        {problem !== null && (
          <li>
            <StatusIcon status="warn" />
            <bdi>{stripColours(problem)}</bdi>
          </li>
        )}
        {failures.map(({ test, message }) => (
          <li key={test}>
            <StatusIcon status="warn" />
            <bdi>
              <b>{test}</b> {stripColours(message)}
            </bdi>
          </li>
        ))}
        {failed > failures.length && <li>and {failed - failures.length} more</li>}
      </ul>
    </section>
  );
}
