import { formatDuration } from "../../../../ui/format/format.ts";
import type { Outcome, Verdict } from "../../../verdict/verdict.ts";
import { linkToStatus } from "../links.ts";
import { type Grade, gradesOf, OUTCOME_NAMES, OUTCOMES } from "./grades.ts";
import { Problems } from "./problems.tsx";
import { StatusIcon } from "./status-icon.tsx";
import "./verdict.css";

const VERDICTS = {
  conformant: { title: "Conformant", status: "pass" },
  "not-conformant": { title: "Not conformant", status: "fail" },
  inconclusive: { title: "Inconclusive", status: "inconclusive" },
  error: { title: "No verdict", status: "error" },
} as const;

const NETWORKS = { namespace: "isolated, loopback only", none: "the machine's, not isolated" };

/** The verdict with its grades, counts and problems. */
export function VerdictCard({ verdict }: { verdict: Verdict }) {
  const { title, status } = VERDICTS[verdict.verdict];
  const { functionality, stopping } = gradesOf(verdict);
  const total = verdict.results.length;
  const outcomes = OUTCOMES.filter((each) => verdict.counts[each] > 0);
  return (
    <section class={`verdict card status-${status}`} aria-label="Verdict">
      <div class="verdict-title">
        <StatusIcon status={status} />
        <div>
          <p class="verdict-app">{verdict.app ?? "App without a name"}</p>
          <h1>{title}</h1>
          <p>{reasonOf(verdict)}</p>
        </div>
      </div>
      <div class="grades">
        <GradeTile title="Functionality" grade={functionality} />
        <GradeTile title="Stopping" grade={stopping} />
      </div>
      <div class="counts">
        <div class="counts-bar" aria-hidden="true">
          {outcomes.map((each) => (
            <i key={each} class={`status-${each}`} style={{ width: `${(verdict.counts[each] / total) * 100}%` }} />
          ))}
        </div>
        <ul class="counts-list">
          {outcomes.map((each) => (
            <li key={each}>
              <a href={linkToStatus(each)}>
                <StatusIcon status={each} /> <b>{verdict.counts[each]}</b> {countLabel(each, verdict.counts[each])}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <Problems verdict={verdict} />
      <dl class="facts">
        <Fact name="Date" value={formatDate(verdict.startedAt)} />
        <Fact name="Duration" value={formatDuration(verdict.duration * 1000)} />
        <Fact name="Workbench version" value={verdict.version} />
        <Fact name="Seed" value={String(verdict.seed)} />
        <Fact name="Folder" value={verdict.folder} />
        <Fact name="Digest" value={verdict.digest} />
        <Fact name="Network" value={NETWORKS[verdict.isolation.network]} />
        <Fact name="Sandbox" value={verdict.isolation.sandbox} />
      </dl>
    </section>
  );
}

const countLabel = (outcome: Outcome, count: number): string =>
  outcome === "warn" && count !== 1 ? "warnings" : OUTCOME_NAMES[outcome].toLowerCase();

function reasonOf({ verdict, counts }: Verdict): string {
  if (verdict === "conformant") return "Every tested MUST requirement passed.";
  if (verdict === "inconclusive") return "Not every MUST requirement could be judged, so this is no certificate.";
  if (verdict === "error") return "The test harness failed, so the app was not judged.";
  return `${counts.fail} MUST ${counts.fail === 1 ? "requirement" : "requirements"} failed.`;
}

function GradeTile({ title, grade: { status, must, should } }: { title: string; grade: Grade }) {
  return (
    <div class="grade">
      <h2>{title}</h2>
      <p class="grade-status">
        <StatusIcon status={status} /> {OUTCOME_NAMES[status]}
      </p>
      <p class="grade-counts">
        <b>
          {must.passed} of {must.of}
        </b>{" "}
        MUST
        {should.of > 0 && (
          <>
            ,{" "}
            <b>
              {should.passed} of {should.of}
            </b>{" "}
            SHOULD
          </>
        )}
      </p>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

function formatDate(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
