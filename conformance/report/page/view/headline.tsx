import { duration } from "../../../../daemon/dashboard/format.ts";
import type { Verdict } from "../../../verdict/verdict.ts";
import { type Grade, gradesOf, STATUS_NAMES, STATUSES } from "../model/grades.ts";
import { linkToStatus } from "../model/places.ts";
import { Mark } from "./mark.tsx";
import { ToMend } from "./to-mend.tsx";

const SAID = {
  conformant: { word: "Conformant", status: "pass" },
  "not-conformant": { word: "Not conformant", status: "fail" },
  error: { word: "No verdict", status: "error" },
} as const;

/** The verdict in one look. */
export function Headline({ verdict }: { verdict: Verdict }) {
  const { word, status } = SAID[verdict.verdict];
  const { doing, stopping } = gradesOf(verdict);
  const total = verdict.results.length;
  return (
    <section class={`headline card headline-${status}`} aria-label="Verdict">
      <div class="headline-said">
        <Mark status={status} />
        <div>
          <p class="headline-app">{verdict.app ?? "An app without a name"}</p>
          <h1>{word}</h1>
          <p>{why(verdict)}</p>
        </div>
      </div>
      <div class="grades">
        <GradeTile title="Function" grade={doing} />
        <GradeTile title="Stopping" grade={stopping} />
      </div>
      <div class="counts">
        <div class="counts-bar" aria-hidden="true">
          {STATUSES.map((each) => (
            <i key={each} class={`fill-${each}`} style={{ width: `${(verdict.counts[each] / total) * 100}%` }} />
          ))}
        </div>
        <ul class="counts-list">
          {STATUSES.filter((each) => verdict.counts[each] > 0).map((each) => (
            <li key={each}>
              <a href={linkToStatus(each)}>
                <Mark status={each} /> <b>{verdict.counts[each]}</b> {STATUS_NAMES[each].toLowerCase()}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <ToMend verdict={verdict} />
      <dl class="facts">
        <Fact name="Date" value={dateOf(verdict.startedAt)} />
        <Fact name="Took" value={duration(verdict.duration * 1000)} />
        <Fact name="Workbench" value={verdict.version} />
        <Fact name="Seed" value={String(verdict.seed)} />
        <Fact name="Folder" value={verdict.folder} />
        <Fact name="Content" value={verdict.digest} />
      </dl>
    </section>
  );
}

function why({ verdict, counts }: Verdict): string {
  if (verdict === "conformant") return "It meets every MUST that it was held against.";
  if (counts.fail === 0) return "The harness broke. That says nothing about the app.";
  return `It misses ${counts.fail === 1 ? "a MUST" : `${counts.fail} MUSTs`}.`;
}

const WORDS = {
  pass: "Passes",
  warn: "Warnings",
  fail: "Fails",
  error: "Not judged",
  skip: "Not told",
} as const;

function GradeTile({ title, grade: { status, must, should } }: { title: string; grade: Grade }) {
  return (
    <div class={`grade grade-${status}`}>
      <h2>{title}</h2>
      <p class="grade-word">
        <Mark status={status} /> {WORDS[status]}
      </p>
      <p class="grade-counts">
        <b>
          {must.met} of {must.of}
        </b>{" "}
        MUST
        {should.of > 0 && (
          <>
            ,{" "}
            <b>
              {should.met} of {should.of}
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

function dateOf(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
