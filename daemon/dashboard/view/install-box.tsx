import { useSignal } from "@preact/signals";
import type { Job } from "../../../robot/wire/jobs.ts";
import { plain } from "../format.ts";
import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

const STAGES = {
  fetch: "Fetching",
  check: "Checking",
  install: "Installing",
  verify: "Verifying",
  record: "Recording",
};

/** Installs an app from a folder or an address, and shows how far it is. */
export function InstallBox() {
  const { dashboard } = usePage();
  const source = useSignal("");
  const dismissed = useSignal<ReadonlySet<string>>(new Set());
  const submit = async (event: Event) => {
    event.preventDefault();
    const asked = source.value.trim();
    if (asked !== "" && (await dashboard.install(asked))) source.value = "";
  };
  const shown = dashboard.jobs.value.filter(
    ({ job_id, status }, i) =>
      status === "pending" ||
      status === "in_progress" ||
      (i === 0 && status !== "done" && !dismissed.value.has(job_id)),
  );
  return (
    <section class="card" aria-label="Install an app">
      <h3 class="card-title">Install</h3>
      <form class="install" onSubmit={submit}>
        <input
          type="text"
          aria-label="Folder or address of an app"
          placeholder="/path/to/my_app or https://…"
          spellcheck={false}
          autocapitalize="off"
          value={source.value}
          onInput={({ currentTarget }) => {
            source.value = currentTarget.value;
          }}
        />
        <button type="submit" class="button" disabled={source.value.trim() === "" || !dashboard.connected.value}>
          Install
        </button>
      </form>
      {shown.map((job) => (
        <JobRow
          key={job.job_id}
          job={job}
          dismiss={() => {
            dismissed.value = new Set([...dismissed.value, job.job_id]);
          }}
        />
      ))}
    </section>
  );
}

function JobRow({ job, dismiss }: { job: Job; dismiss: () => void }) {
  const { dashboard } = usePage();
  const over = job.status === "failed" || job.status === "cancelled";
  const stage =
    job.status === "pending"
      ? "Waiting"
      : over
        ? job.status === "failed"
          ? "Failed"
          : "Cancelled"
        : STAGES[job.stage ?? "fetch"];
  return (
    <div class={`job job-${job.status}`}>
      <p class="job-head">
        <span>{job.command}</span>
        <span class="muted">{stage}</span>
        <button
          type="button"
          class="icon-button"
          aria-label={over ? "Dismiss" : "Cancel"}
          title={over ? "Dismiss" : "Cancel"}
          onClick={() => (over ? dismiss() : void dashboard.cancelJob(job.job_id))}
        >
          <Icon name="close" />
        </button>
      </p>
      {!over && <progress max={100} value={job.percent} aria-label={`${job.command}: ${stage}`} />}
      {job.error && <p class="job-error">{job.error}</p>}
      {job.logs.length > 0 && (
        <details>
          <summary>Output</summary>
          <pre>{job.logs.map(plain).join("\n")}</pre>
        </details>
      )}
    </div>
  );
}
