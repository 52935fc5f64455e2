import type { WorkshopFinding } from "../../../robot/wire/workshop/workshop.ts";
import { usePage } from "../shell/context.ts";
import type { EditSession } from "./edit-session.ts";
import { FixButton } from "./fix-button.tsx";

interface Props {
  session: EditSession;
  goTo(file: string, line: number): void;
}

/** What the check finds in the text as it is, and how the app failed. Each leads to its line, and can be given to the model. */
export function FindingsList({ session, goTo }: Props) {
  const findings = session.findings.value;
  return (
    <section class="card findings" aria-label="Findings">
      <h3 class="card-title">
        Findings <span class="count">{findings.length}</span>
      </h3>
      <Failure session={session} />
      {findings.length === 0 && <p class="muted">The check finds nothing.</p>}
      <ul>
        {findings.map((finding) => (
          <Finding key={JSON.stringify(finding)} finding={finding} session={session} goTo={goTo} />
        ))}
      </ul>
    </section>
  );
}

function Finding({ finding, session, goTo }: Props & { finding: WorkshopFinding }) {
  const { id, level, file, line, message } = finding;
  return (
    <li class={`finding finding-${level === "MUST" ? "bad" : "warn"}`}>
      <button type="button" class="finding-place" onClick={() => goTo(file, line ?? 1)}>
        {file}
        {line !== null && `:${line}`}
      </button>
      <span>{message}</span>
      <span class="muted">{id}</span>
      <FixButton session={session} what={finding} file={file} label={`Fix this: ${id} in ${file}`} />
    </li>
  );
}

/** How the app failed last. */
function Failure({ session }: { session: EditSession }) {
  const { slot } = usePage().dashboard;
  const status = slot.status.value;
  if (status?.state !== "error") return null;
  const lines = (status.error ?? "The app failed.").split("\n").filter((line) => line.trim() !== "");
  return (
    <div class="failure finding-failure" role="alert">
      <p>
        {lines[0]} {lines.length > 1 && <code>{lines.at(-1)}</code>}
      </p>
      <FixButton
        session={session}
        what="failure"
        file={session.current.value}
        label="Fix this: the failure of the app"
      />
    </div>
  );
}
