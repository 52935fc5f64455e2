import { useSignal } from "@preact/signals";
import { usePage } from "./context.ts";
import { JobRow } from "./job-row.tsx";

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
      <h3 class="card-title">Install from a folder or an address</h3>
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
