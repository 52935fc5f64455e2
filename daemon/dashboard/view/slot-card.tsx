import type { AppStatus } from "../../../robot/wire/apps.ts";
import { duration, plain } from "../format.ts";
import { settingsUrl } from "../settings-url.ts";
import { useNow, usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

const WORDS: Record<AppStatus["state"], { label: string; tone: string; text: string }> = {
  starting: { label: "Starting", tone: "warn", text: "Python starts and connects to the robot." },
  running: { label: "Running", tone: "good", text: "" },
  stopping: { label: "Stopping", tone: "warn", text: "The app winds down, then the robot returns to default." },
  done: { label: "Finished", tone: "calm", text: "The slot is free." },
  error: { label: "Failed", tone: "bad", text: "" },
};

/** The one app that may run: which, how it is, and how to stop it. */
export function SlotCard() {
  const { slot } = usePage().dashboard;
  const status = slot.status.value;
  return (
    <section class={`card slot slot-${status?.state ?? "free"}`} aria-label="Running app">
      {status ? <Occupied status={status} /> : <Free />}
    </section>
  );
}

function Free() {
  const none = usePage().dashboard.apps.value?.length === 0;
  return (
    <>
      <p class="eyebrow">App slot</p>
      <h2>No app is running</h2>
      <p class="muted">{none ? "Install one first." : "Start one of the apps below; the robot runs one at a time."}</p>
    </>
  );
}

function Occupied({ status }: { status: AppStatus }) {
  const { dashboard } = usePage();
  const { slot } = dashboard;
  const { info, state, error, since } = status;
  const { label, tone, text } = WORDS[state];
  useNow(state === "running");
  const page = settingsUrl(info, location);
  return (
    <>
      <p class="eyebrow">
        <span class={`state state-${tone}`} role="status">
          <i class="dot" aria-hidden="true" />
          {label}
        </span>
        {state === "running" && <span class="uptime">for {duration(dashboard.clock.since(since))}</span>}
      </p>
      <h2>{info.name}</h2>
      {(text || info.description) && <p class="muted">{text || info.description}</p>}
      {state === "error" && <Failure app={info.name} error={error} />}
      <div class="row">
        {slot.busy.value ? (
          <button
            type="button"
            class="button button-stop"
            disabled={slot.pending.value === "stop" || state === "stopping" || !dashboard.connected.value}
            onClick={dashboard.stop}
          >
            <Icon name="stop" /> {state === "stopping" ? "Stopping…" : "Stop"}
          </button>
        ) : (
          <button
            type="button"
            class="button button-primary"
            disabled={slot.pending.value === "start" || !dashboard.connected.value}
            onClick={() => dashboard.start(info.name)}
          >
            <Icon name="play" /> Start again
          </button>
        )}
        {state === "running" && page && (
          <a class="button" href={page} target="_blank" rel="noreferrer">
            <Icon name="settings" /> Settings
          </a>
        )}
      </div>
    </>
  );
}

function Failure({ app, error }: { app: string; error: string | null }) {
  // The sentence often ends with the app's last line, which need not be read twice.
  const said = usePage().dashboard.logs.lastWords(app, 8);
  const lines = said.some(({ text }) => !error?.includes(plain(text).trim())) ? said : [];
  return (
    <div class="failure">
      <p>{error ?? "The app ended with an error."}</p>
      {lines.length > 0 && <pre>{lines.map(({ text }) => plain(text)).join("\n")}</pre>}
    </div>
  );
}
