import { useSignal } from "@preact/signals";
import type { Job } from "../../robot/wire/apps/jobs.ts";
import { Button } from "../../ui/components/buttons.tsx";
import { isUnfinished } from "../community/community-model.ts";
import { usePage } from "../shell/context.ts";
import { JobRow } from "./job-row.tsx";

/** Installs an app from a folder or an address, and shows the progress of jobs. */
export function InstallBox() {
  const { dashboard } = usePage();
  const source = useSignal("");
  const dismissed = useSignal<ReadonlySet<string>>(new Set());
  const submit = async (event: Event) => {
    event.preventDefault();
    const wanted = source.value.trim();
    if (wanted !== "" && (await dashboard.install(wanted))) source.value = "";
  };
  /** An app that was installed is news while this page is open; what failed stays until somebody dismisses it. */
  const isNews = ({ status, result, job_id }: Job) =>
    status !== "done" || (result !== null && dashboard.changedJobs.has(job_id));
  const visible = dashboard.jobs.value.filter(
    (job, i) => isUnfinished(job) || (i === 0 && isNews(job) && !dismissed.value.has(job.job_id)),
  );
  return (
    <section class="card" aria-label="Install an app">
      <h3 class="card-title">Install from a folder or an address</h3>
      <form class="install" onSubmit={submit}>
        <input
          type="text"
          class="field"
          aria-label="Folder or address of an app"
          placeholder="/path/to/my_app or https://…"
          spellcheck={false}
          autocapitalize="off"
          value={source.value}
          onInput={({ currentTarget }) => {
            source.value = currentTarget.value;
          }}
        />
        <Button type="submit" disabled={source.value.trim() === "" || !dashboard.connected.value}>
          Install
        </Button>
      </form>
      {visible.map((job) => (
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
