import { Icon } from "../../../../ui/components/icons.tsx";
import { stripColours } from "../../../../ui/format/format.ts";
import type { Judgement, TestRun } from "../../../verdict/verdict.ts";
import { linkToFinding, linkToTestRun } from "../links.ts";
import { StatusIcon } from "../verdict/status-icon.tsx";
import { Evidence } from "./evidence.tsx";
import { MeasurementBar } from "./measurement-bar.tsx";
import { ReplayLink } from "./replay-link.tsx";

/** The result of one requirement with its findings, measurements and test runs. */
export function Requirement({ result, testRuns }: { result: Judgement; testRuns: readonly TestRun[] }) {
  const { id, level, section, title, status, findings, reason, waiver, measured } = result;
  const own = testRuns.filter((testRun) => result.testRuns.includes(testRun.id));
  return (
    <li id={id} class={`requirement requirement-${status}`} tabIndex={-1}>
      <StatusIcon status={status} />
      <div class="requirement-name">
        <a class="requirement-id" href={`#${id}`}>
          {id}
        </a>
        <span>{title}</span>
        <span class="requirement-level">
          <b class={`level level-${level}`}>{level}</b> <span class="muted">section {section}</span>
        </span>
      </div>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map(({ message, file, line }) => (
            <li key={`${file}:${line}:${message}`}>
              {file !== "" && <code>{line === null ? file : `${file}:${line}`}</code>}
              <bdi>{stripColours(message)}</bdi>
              <ReplayLink href={linkToFinding(result, message, testRuns)} />
            </li>
          ))}
        </ul>
      )}
      {reason !== null && <p class="requirement-reason">{stripColours(reason)}</p>}
      {waiver !== null && (
        <p class="waiver">
          <b>Waived</b> until {waiver.expires} by {waiver.owner}: {waiver.reason}
        </p>
      )}
      {measured.length > 0 && (
        <div class="measurements">
          {measured.map((measurement) => (
            <MeasurementBar key={measurement.name} measurement={measurement} />
          ))}
        </div>
      )}
      <Evidence result={result} testRuns={testRuns} />
      {own.length > 0 && (
        <p class="requirement-test-runs">
          {own.map((testRun) => (
            <a key={testRun.id} href={linkToTestRun(testRun)}>
              <Icon name="play" /> {testRun.title}
            </a>
          ))}
        </p>
      )}
    </li>
  );
}
