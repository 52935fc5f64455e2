import type { AppInfo, AppStatus } from "../../robot/wire/apps/app-status.ts";
import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { formatDuration, stripColours } from "../../ui/format/format.ts";
import { useNow, usePage } from "../shell/context.ts";
import { DetailsButton, SettingsButton } from "./app-list.tsx";
import { issueReport } from "./issue-report.ts";

/** Lines of the app's output that are shown when it failed. */
const LAST_LINES = 8;

const STATES: Record<AppStatus["state"], { label: string; tone: string; text: string }> = {
  starting: { label: "Starting", tone: "warn", text: "The app is starting and connects to the robot." },
  running: { label: "Running", tone: "good", text: "" },
  stopping: {
    label: "Stopping",
    tone: "warn",
    text: "The app is stopping; then the robot returns to its default pose.",
  },
  done: { label: "Finished", tone: "neutral", text: "The app has ended." },
  error: { label: "Failed", tone: "bad", text: "" },
};

/** The app in the slot, its state, and buttons to stop or start it. */
export function SlotCard() {
  const { slot } = usePage().dashboard;
  const status = slot.status.value;
  return (
    <section class={status ? `card slot tone-${STATES[status.state].tone}` : "card slot"} aria-label="Running app">
      {status ? <SlotStatus status={status} /> : <EmptySlot />}
    </section>
  );
}

function EmptySlot() {
  const none = usePage().dashboard.apps.value?.length === 0;
  return (
    <>
      <p class="eyebrow">App</p>
      <h2>No app is running</h2>
      <p class="muted">
        {none ? "Install an app first." : "Start one of the apps below. The robot runs one app at a time."}
      </p>
    </>
  );
}

function SlotStatus({ status }: { status: AppStatus }) {
  const { dashboard } = usePage();
  const { slot } = dashboard;
  const { info, state, error, since, stop_reason: reason } = status;
  const { label, tone, text: usual } = STATES[state];
  const text =
    reason !== undefined && state !== "error" ? `It ${state === "done" ? "was" : "is"} stopped: ${reason}.` : usual;
  useNow(state === "running");
  return (
    <>
      <p class="eyebrow">
        <span class={`state tone-${tone}`} role="status">
          <i class="dot" aria-hidden="true" />
          {label}
        </span>
        {state === "running" && <span class="uptime">for {formatDuration(dashboard.clock.elapsedSince(since))}</span>}
      </p>
      <h2>
        <DetailsButton name={info.name} />
      </h2>
      {(text || info.description) && <p class="muted">{text || info.description}</p>}
      {state === "error" && <Failure app={info} error={error} />}
      <div class="row">
        {slot.busy.value ? (
          <Button
            kind="stop"
            disabled={!dashboard.connected.value}
            aria-disabled={slot.pending.value === "stop" || state === "stopping"}
            onClick={dashboard.stop}
          >
            <Icon name="stop" /> {state === "stopping" ? "Stopping…" : "Stop"}
          </Button>
        ) : (
          <Button
            kind="primary"
            disabled={!dashboard.connected.value}
            aria-disabled={slot.pending.value !== null}
            onClick={() => dashboard.start(info.name)}
          >
            <Icon name="play" /> Start again
          </Button>
        )}
        {state === "running" && (
          <Button
            disabled={!dashboard.connected.value}
            aria-disabled={slot.pending.value !== null}
            onClick={dashboard.restart}
          >
            <Icon name="refresh" /> Restart
          </Button>
        )}
        {state === "running" && <SettingsButton app={info} class="button" label="Settings" />}
      </div>
    </>
  );
}

/** How an app failed: its last line, which names a Python exception, before the lines that led to it. */
function Failure({ app, error }: { app: AppInfo; error: string | null }) {
  // After its first line, the error has the app's last lines; the log may have more of them.
  const [summary = "", ...ownLines] = (error ?? "The app ended with an error.").split("\n");
  const { dashboard } = usePage();
  const logLines = dashboard.logs.lastLines(app.name, LAST_LINES);
  const lines =
    logLines.length > ownLines.length ? logLines : ownLines.map((text) => ({ from: "stderr" as const, text }));
  // What an app printed otherwise is no cause.
  const cause = lines.findLast(({ from, text }) => from === "stderr" && text.trim() !== "")?.text;
  const issue = () =>
    issueReport({
      app: app.name,
      version: app.extra.version ?? null,
      daemonVersion: dashboard.robot.version.value,
      result: summary,
      cause: cause ?? null,
      lines,
    });
  return (
    <div class="failure">
      {cause !== undefined && <p class="failure-cause">{stripColours(cause)}</p>}
      <p>{summary}</p>
      {lines.length > 1 && (
        <details>
          <summary>The last {lines.length} lines</summary>
          <pre>{lines.map(({ text }) => stripColours(text)).join("\n")}</pre>
        </details>
      )}
      <div class="row">
        <Button small onClick={() => dashboard.copy(issue(), "Copied: paste it into an issue.")}>
          <Icon name="copy" /> Copy for an issue
        </Button>
        <a
          class="button button-small"
          href={`./api/apps/logs/${encodeURIComponent(app.name)}?lines=5000&format=text`}
          download={`${app.name}.log`}
        >
          <Icon name="down" /> Download the log
        </a>
      </div>
    </div>
  );
}
