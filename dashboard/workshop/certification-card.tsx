import type { RequirementProblem, WorkshopVerdict } from "../../robot/wire/workshop/certification.ts";
import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { verdictBadge } from "../apps/verdict-badge.ts";
import type { EditSession } from "./edit-session.ts";
import { FindingPlace, FixButton } from "./finding-links.tsx";
import "./certification-card.css";

const REPORT = "./api/workshop/report";
const TIERS = { short: "Short tier", whole: "Certification" };

interface Props {
  session: EditSession;
  goTo(file: string, line: number): void;
}

/** What a certification of the app says, as it is kept: the short tier after each keep, the whole when asked for. */
export function CertificationCard({ session, goTo }: Props) {
  const { certification } = session;
  const { running, verdict, problem } = certification.state.value;
  return (
    <section class="card certification" aria-label="Verdict">
      <h3 class="card-title">
        Verdict
        <Button
          small
          title="Files, install, import, and one start, run and stop; about 15 s. Runs after each keep"
          onClick={() => certification.start("short")}
        >
          Short tier
        </Button>
        <Button
          small
          title="Every requirement, in about 20 runs with a simulated robot of their own; about a minute"
          onClick={() => certification.start("whole")}
        >
          Certify
        </Button>
      </h3>
      {running && <Running session={session} />}
      {problem !== null && (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
      {verdict && <Verdict verdict={verdict} session={session} goTo={goTo} />}
      {!verdict && !running && problem === null && <p class="muted">Not judged yet. Each keep runs the short tier.</p>}
    </section>
  );
}

function Running({ session }: { session: EditSession }) {
  const { certification } = session;
  const { running } = certification.state.value;
  if (running === null) return null;
  const { tier, done, planned, violated, cancelling } = running;
  const what = `${TIERS[tier]}: ${done} of ${planned} steps`;
  return (
    <div class="certification-running">
      <progress max={planned} value={done} aria-label={what} />
      <span class="muted">
        {what}
        {violated.length > 0 && `; violated so far: ${violated.join(", ")}`}
      </span>
      {/* It stays enabled, because a disabled button loses the focus. */}
      <Button small aria-disabled={cancelling} onClick={certification.cancel}>
        {cancelling ? "Cancelling…" : "Cancel"}
      </Button>
    </div>
  );
}

function Verdict({ verdict, session, goTo }: Props & { verdict: WorkshopVerdict }) {
  const isStale = session.certification.isStale.value;
  const { text, tone } = verdictBadge({ verdict: verdict.verdict, of_installed: !isStale });
  const found = new Set(session.findings.value.map(({ id }) => id));
  const problems = verdict.problems.filter(({ id }) => !found.has(id));
  return (
    <div class={isStale ? "verdict-stale" : ""}>
      <p class="verdict-line" role="status">
        <span class={`badge tone-${tone}`}>{text}</span>
        <span class="muted">
          {verdict.tier === "short" ? "as far as the short tier judges" : "in all requirements"}, in{" "}
          {verdict.seconds.toFixed(0)} s{isStale && ". The app differs from what was judged"}
        </span>
        <a href={REPORT} target="_blank" rel="noreferrer">
          Report <Icon name="external" />
        </a>
      </p>
      {problems.length < verdict.problems.length && (
        <p class="muted">
          {verdict.problems.length - problems.length} of {verdict.problems.length} not met are among the findings.
        </p>
      )}
      <ul>
        {problems.map((requirement) => (
          <Unmet key={requirement.id} requirement={requirement} session={session} goTo={goTo} />
        ))}
      </ul>
    </div>
  );
}

function Unmet({ requirement, session, goTo }: Props & { requirement: RequirementProblem }) {
  const { id, level, status, title, message, file, line, replayable } = requirement;
  // What could not be judged is no fault that an edit could end.
  const isViolated = status !== "inconclusive" && status !== "error";
  return (
    <li class={`finding tone-${isViolated && status !== "warn" && level === "MUST" ? "bad" : "warn"}`}>
      <div class="finding-text">
        {file !== null && <FindingPlace session={session} file={file} line={line} goTo={goTo} />}
        <span>{message}</span>
        <span class="muted" title={title}>
          {id}
        </span>
      </div>
      <span class="finding-acts">
        {replayable && (
          <a href={`${REPORT}#replay/${id}`} target="_blank" rel="noreferrer" aria-label={`Replay ${id}`}>
            Replay
          </a>
        )}
        {isViolated && (
          <FixButton
            session={session}
            what={{ requirement: id }}
            file={file ?? session.current.value}
            label={`Fix this: ${id}`}
          />
        )}
      </span>
    </li>
  );
}
