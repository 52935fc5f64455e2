import { useEffect } from "preact/hooks";
import type { WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";
import { usePage } from "../shell/context.ts";
import type { EditSession } from "./edit-session.ts";
import { FindingPlace, FixButton } from "./finding-links.tsx";

interface Props {
  session: EditSession;
  goTo(file: string, line: number): void;
}

/** The id of the finding that a file cannot have its name. No edit of a text fixes it. */
const FILE_NAME_FINDING = "name";

/** What the check finds in the text as it is, and how the app failed. Each leads to its line, and can be given to the model. */
export function FindingsList({ session, goTo }: Props) {
  const findings = session.findings.value;
  return (
    <section class="card findings" aria-label="Findings">
      <h3 class="card-title">Findings {session.isChecked.value && <span class="count">{findings.length}</span>}</h3>
      <Failure session={session} goTo={goTo} />
      {findings.length === 0 && (
        <p class="muted">{session.isChecked.value ? "The check finds nothing." : "Not checked yet."}</p>
      )}
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
    <li class={`finding tone-${level === "MUST" ? "bad" : "warn"}`}>
      <div class="finding-text">
        <FindingPlace session={session} file={file} line={line} goTo={goTo} />
        <span>{message}</span>
        <span class="muted">{id}</span>
      </div>
      {id !== FILE_NAME_FINDING && (
        <FixButton session={session} what={finding} file={file} label={`Fix this: ${id} in ${file}`} />
      )}
    </li>
  );
}

/** How the app failed last. The model can fix it when a traceback in the log names a line of the app. */
function Failure({ session, goTo }: Props) {
  const { dashboard, workshop } = usePage();
  const status = dashboard.slot.status.value;
  const failed = status?.state === "error" && status.info.name === workshop.app.value ? status : null;
  useEffect(() => {
    if (failed !== null) void session.findFailure(failed.since);
  }, [failed?.since]);
  if (failed === null) return null;
  const place = session.failurePlace(failed.since);
  const lines = (failed.error ?? "The app failed.").split("\n").filter((line) => line.trim() !== "");
  return (
    <div class="failure finding-failure" role="alert">
      <p>
        {lines[0]} {lines.length > 1 && <code>{lines.at(-1)}</code>}
      </p>
      {place !== null && (
        <p class="finding-acts">
          <FindingPlace session={session} file={place.file} line={place.line} goTo={goTo} />
          <FixButton session={session} what="failure" file={place.file} label="Fix this: the failure of the app" />
        </p>
      )}
    </div>
  );
}
