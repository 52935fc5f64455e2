import { Icon } from "../../../../ui/components/icons.tsx";
import { formatFigure } from "../../../../ui/format/figures.ts";
import { stripColours } from "../../../../ui/format/format.ts";
import type { Judgement, Measurement, TestRun } from "../../../verdict/verdict.ts";
import { linkToFinding, linkToTestRun } from "../links.ts";
import { StatusIcon } from "../verdict/status-icon.tsx";
import { Evidence } from "./evidence.tsx";
import { ReplayLink } from "./replay-link.tsx";

/** The result of one requirement with its findings, measurements and test runs. */
export function Requirement({ result, testRuns }: { result: Judgement; testRuns: readonly TestRun[] }) {
  const { id, level, section, title, status, findings, reason, measured } = result;
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

/** Where the limit is on the bar, so that values beyond it are visible. */
const LIMIT_POSITION = 0.75;

/** A measured value and the share of its limit that it takes. */
function MeasurementBar({ measurement: { name, value, unit, limit } }: { measurement: Measurement }) {
  const isOver = limit !== null && value > limit;
  const share = limit === null || limit <= 0 ? 0 : Math.min(1, Math.max(0.01, (value / limit) * LIMIT_POSITION));
  return (
    <div class={isOver ? "measurement measurement-over" : "measurement"}>
      <span class="measurement-name">{name}</span>
      <span class="measurement-value">
        <b>{formatFigure(value)}</b> {unit}
        {limit !== null && (
          <span class="muted">
            {" "}
            of {formatFigure(limit)} {unit}
            {isOver && ", over the limit"}
          </span>
        )}
      </span>
      {limit !== null && limit > 0 && (
        <span class="measurement-bar" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
          <em style={{ left: `${LIMIT_POSITION * 100}%` }} />
        </span>
      )}
    </div>
  );
}
