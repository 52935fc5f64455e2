import { usePage } from "../shell/context.ts";
import type { EditSession } from "./edit-session.ts";

interface Props {
  session: EditSession;
  goTo(file: string, line: number): void;
}

/** What the check finds in the text as it is, and how the app failed. Each leads to its line. */
export function FindingsList({ session, goTo }: Props) {
  const { slot } = usePage().dashboard;
  const status = slot.status.value;
  const failed = status?.state === "error" ? (status.error ?? "It failed.").split("\n") : [];
  const findings = session.findings.value;
  return (
    <section class="card findings" aria-label="Findings">
      <h3 class="card-title">
        Findings <span class="count">{findings.length}</span>
      </h3>
      {failed.length > 0 && (
        <p class="finding-failure" role="alert">
          {failed[0]} {failed.at(-1) !== failed[0] && <code>{failed.findLast((line) => line.trim() !== "")}</code>}
        </p>
      )}
      {findings.length === 0 && <p class="muted">The check finds nothing.</p>}
      <ul>
        {findings.map(({ id, level, file, line, message }) => (
          <li key={`${id} ${file} ${line} ${message}`} class={`finding finding-${level === "MUST" ? "bad" : "warn"}`}>
            <button type="button" class="finding-place" onClick={() => goTo(file, line ?? 1)}>
              {file}
              {line !== null && `:${line}`}
            </button>
            <span>{message}</span>
            <span class="muted">{id}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
