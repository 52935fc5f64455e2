import type { TestRun } from "../../../verdict/verdict.ts";
import { linkToTestRun } from "../links.ts";
import type { ReportModel } from "../report-model.ts";
import { stateBands } from "./recording.ts";
import "./test-runs.css";

/** The test runs, each with a small bar of the app's states; a click opens one. */
export function TestRunList({ report: { verdict, player } }: { report: ReportModel }) {
  const current = player.testRun.value;
  return (
    <ol class="test-run-list">
      {verdict.testRuns.map((testRun) => (
        <li key={testRun.id}>
          <a class="test-run" href={linkToTestRun(testRun)} aria-current={current === testRun ? "true" : undefined}>
            <span class="test-run-title">{testRun.title}</span>
            <span class="test-run-facts">
              {testRun.duration.toFixed(1)} s <FindingCount testRun={testRun} />
            </span>
            <StateBar testRun={testRun} />
          </a>
        </li>
      ))}
    </ol>
  );
}

const findingsOf = ({ events }: TestRun) => events.filter(({ kind }) => kind === "finding");

function FindingCount({ testRun }: { testRun: TestRun }) {
  const { length } = findingsOf(testRun);
  if (length === 0) return null;
  return (
    <b class="test-run-findings">
      {length} {length === 1 ? "finding" : "findings"}
    </b>
  );
}

function StateBar({ testRun }: { testRun: TestRun }) {
  const at = (t: number) => `${(t / (testRun.duration || 1)) * 100}%`;
  return (
    <span class="state-bar" aria-hidden="true">
      {stateBands(testRun).map(({ state, from, to }) => (
        <i key={from} class={`state-${state}`} style={{ left: at(from), width: at(to - from) }} />
      ))}
      {findingsOf(testRun).map(({ t, text }) => (
        <em key={`${t}${text}`} style={{ left: at(t) }} />
      ))}
    </span>
  );
}
