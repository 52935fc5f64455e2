import type { Job } from "../../robot/wire/apps/jobs.ts";
import { Button, IconButton } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { stripColours } from "../../ui/format/format.ts";
import { isUnfinished } from "../community/community-model.ts";
import { usePage } from "../shell/context.ts";
import { conflictingSource } from "./install-source.ts";

const STAGES = {
  fetch: "Fetching",
  check: "Checking",
  install: "Installing",
  verify: "Verifying",
  record: "Recording",
};

const RESULTS = { done: "Done", failed: "Failed", cancelled: "Cancelled" };

/** The progress of a job in one word. */
export function jobProgressLabel({ status, stage }: Job): string {
  if (status === "pending") return "Waiting";
  return status === "in_progress" ? STAGES[stage ?? "fetch"] : RESULTS[status];
}

/** A job with its progress, its result and its output. */
export function JobRow({ job, dismiss }: { job: Job; dismiss: () => void }) {
  const { dashboard } = usePage();
  const over = !isUnfinished(job);
  const installed = job.status === "done" ? job.result : null;
  const stage = jobProgressLabel(job);
  const conflicting = conflictingSource(job);
  return (
    <div class={`job job-${job.status}`}>
      <p class="job-head">
        <span>{job.command}</span>
        <span class="muted">{stage}</span>
        <IconButton
          icon="close"
          label={over ? "Dismiss" : "Cancel"}
          onClick={() => (over ? dismiss() : void dashboard.cancelJob(job.job_id))}
        />
      </p>
      {installed !== null && (
        <Button
          small
          kind="primary"
          disabled={!dashboard.connected.value}
          onClick={() => {
            dismiss();
            void dashboard.start(installed.name);
          }}
        >
          <Icon name="play" /> Start {installed.name}
        </Button>
      )}
      {!over && <progress max={100} value={job.percent} aria-label={`${job.command}: ${stage}`} />}
      {job.error && <p class="job-error">{job.error}</p>}
      {conflicting !== null && (
        <Button
          small
          onClick={async () => {
            if (await dashboard.install(conflicting, true)) dismiss();
          }}
        >
          Install in an environment of its own
        </Button>
      )}
      {job.logs.length > 0 && (
        <details>
          <summary>Output</summary>
          <pre>{job.logs.map(stripColours).join("\n")}</pre>
        </details>
      )}
    </div>
  );
}
