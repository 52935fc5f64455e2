import { stripColours } from "../../../../ui/format/format.ts";
import type { Attempt, Judgement, Observation, TestRun } from "../../../verdict/verdict.ts";
import { linkToMoment, linkToTestRun } from "../links.ts";
import { StatusIcon } from "../verdict/status-icon.tsx";
import { ReplayLink } from "./replay-link.tsx";
import "./evidence.css";

/** The evidence for an outcome: observations, and the attempts after the first one. */
export function Evidence({ result, testRuns }: { result: Judgement; testRuns: readonly TestRun[] }) {
  const { observations, attempts } = result;
  if (observations.length + attempts.length === 0) return null;
  return (
    <details class="evidence">
      <summary>Evidence</summary>
      <Observations observations={observations} testRuns={testRuns} />
      {attempts.map((attempt) => (
        <AttemptResult key={attempt.name} attempt={attempt} testRuns={testRuns} />
      ))}
    </details>
  );
}

function Observations({
  observations,
  testRuns,
}: {
  observations: readonly Observation[];
  testRuns: readonly TestRun[];
}) {
  if (observations.length === 0) return null;
  return (
    <ul>
      {observations.map(({ text, testRun, t }) => (
        <li key={`${testRun}${t}${text}`}>
          <bdi>{stripColours(text)}</bdi>
          <ReplayLink href={linkToObservation(testRun, t, testRuns)} />
        </li>
      ))}
    </ul>
  );
}

function linkToObservation(id: string | null, t: number | null, testRuns: readonly TestRun[]): string | null {
  const testRun = testRuns.find((candidate) => candidate.id === id);
  if (testRun === undefined) return null;
  return t === null ? linkToTestRun(testRun) : linkToMoment(testRun.id, t);
}

function AttemptResult({ attempt, testRuns }: { attempt: Attempt; testRuns: readonly TestRun[] }) {
  const { name, status, findings, reason, observations } = attempt;
  return (
    <div class="attempt">
      <p>
        <StatusIcon status={status} /> <b>{attemptTitle(name)}</b> {reason !== null && stripColours(reason)}
      </p>
      {findings.map(({ message }) => (
        <p key={message}>
          <bdi>{stripColours(message)}</bdi>
        </p>
      ))}
      <Observations observations={observations} testRuns={testRuns} />
    </div>
  );
}

/** `retry-1` is the app again, `control` the control app. */
function attemptTitle(name: string): string {
  return name === "control" ? "Control app" : name.replace(/^retry-/, "Retry ");
}
