import type { AppInfo } from "../../../robot/wire/apps.ts";
import { settingsUrl } from "../settings-url.ts";
import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

/** The installed apps. */
export function AppList() {
  const apps = usePage().dashboard.apps.value;
  return (
    <section class="card" aria-label="Installed apps">
      <h3 class="card-title">Apps {apps !== null && apps.length > 0 && <span class="count">{apps.length}</span>}</h3>
      {apps === null && <p class="muted">Reading the list…</p>}
      {apps?.length === 0 && <NoApps />}
      {apps !== null && apps.length > 0 && (
        <ul class="apps">
          {apps.map((app) => (
            <AppRow key={app.name} app={app} />
          ))}
        </ul>
      )}
    </section>
  );
}

function NoApps() {
  return (
    <div class="empty">
      <p>No app is installed yet. Install one from a folder:</p>
      <code>robot-daemon install ./my_app</code>
      <p>
        or start from a template: <code>robot-app-assistant create my_app .</code>
      </p>
    </div>
  );
}

function AppRow({ app }: { app: AppInfo }) {
  const { dashboard } = usePage();
  const { slot } = dashboard;
  const current = slot.busy.value && slot.status.value?.info.name === app.name;
  const startup = dashboard.startupApp.value === app.name;
  const version = typeof app.extra.version === "string" ? app.extra.version : null;
  return (
    <li class={current ? "app app-current" : "app"}>
      <p class="app-name">
        {app.name} {version && <span class="app-version">{version}</span>}
      </p>
      <div class="app-tools">
        <SettingsLink app={app} running={current && slot.status.value?.state === "running"} />
        <button
          type="button"
          class="icon-button"
          aria-pressed={startup}
          aria-label={`Start ${app.name} whenever the robot wakes up`}
          title={startup ? "Starts whenever the robot wakes up" : "Start whenever the robot wakes up"}
          onClick={() => dashboard.setStartupApp(startup ? null : app.name)}
        >
          <Icon name="pin" />
        </button>
        <button
          type="button"
          class="icon-button"
          disabled={current}
          aria-label={`Remove ${app.name}`}
          title="Remove"
          onClick={() => confirm(`Remove ${app.name} from the robot?`) && dashboard.remove(app.name)}
        >
          <Icon name="clear" />
        </button>
        {current ? (
          <button
            type="button"
            class="icon-button button-stop"
            aria-label={`Stop ${app.name}`}
            title="Stop"
            onClick={dashboard.stop}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="button"
            class="icon-button button-primary"
            disabled={slot.busy.value || slot.pending.value !== null || !dashboard.connected.value}
            aria-label={`Start ${app.name}`}
            title={slot.busy.value ? "Stop the running app first" : "Start"}
            onClick={() => dashboard.start(app.name)}
          >
            <Icon name="play" />
          </button>
        )}
      </div>
      {app.description && <p class="app-about">{app.description}</p>}
    </li>
  );
}

/** The app's own page exists only while it runs. */
function SettingsLink({ app, running }: { app: AppInfo; running: boolean }) {
  const page = settingsUrl(app, location);
  if (page === undefined) return null;
  if (!running)
    return (
      <button
        type="button"
        class="icon-button"
        disabled
        aria-label={`Settings of ${app.name}`}
        title="Start the app to open its settings"
      >
        <Icon name="settings" />
      </button>
    );
  return (
    <a
      class="icon-button"
      href={page}
      target="_blank"
      rel="noreferrer"
      aria-label={`Settings of ${app.name}`}
      title="Settings"
    >
      <Icon name="settings" />
    </a>
  );
}
