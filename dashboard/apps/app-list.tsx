import { DEFAULT_DIALECT, dialectById } from "../../robot/dialects/dialects.ts";
import { sameName } from "../../robot/wire/apps/app-search.ts";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { Button, IconButton } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { isUnfinished } from "../community/community-model.ts";
import { usePage } from "../shell/context.ts";
import { EditButton } from "../workshop/edit-button.tsx";
import { settingsPage } from "./settings-page.ts";
import { StartupChoice } from "./startup-choice.tsx";

/** The installed apps. @param browse opens the list of community apps */
export function AppList({ browse }: { browse: () => void }) {
  const apps = usePage().dashboard.apps.value;
  if (apps === null) return <p class="muted community-wait">Loading the apps…</p>;
  if (apps.length === 0) return <NoApps browse={browse} />;
  return (
    <>
      <ul class="apps" aria-label="Installed apps">
        {apps.map((app) => (
          <AppRow key={app.name} app={app} />
        ))}
      </ul>
      <div class="apps-foot">
        <StartupChoice />
        <NewAppButton />
      </div>
    </>
  );
}

function NewAppButton() {
  const { dashboard } = usePage();
  return (
    <Button
      small
      onClick={() => {
        dashboard.newAppOpen.value = true;
      }}
    >
      <Icon name="plus" /> New app
    </Button>
  );
}

function NoApps({ browse }: { browse: () => void }) {
  return (
    <div class="empty">
      <p>No app is installed yet. Install one from the community:</p>
      <Button kind="primary" onClick={browse}>
        Browse community apps
      </Button>
      <p>or create your own and run it here, again after every save:</p>
      <NewAppButton />
    </div>
  );
}

function AppRow({ app }: { app: AppInfo }) {
  const { dashboard } = usePage();
  const { slot } = dashboard;
  const current = slot.busy.value && slot.status.value?.info.name === app.name;
  const running = slot.busy.value ? (slot.status.value?.info.name ?? null) : null;
  const startup = sameName(dashboard.startupApp.value ?? "", app.name);
  const updating = dashboard.jobs.value.some(
    (job) => isUnfinished(job) && job.command === `install ${app.extra.origin?.from}`,
  );
  const dialect = dialectById(app.extra.dialect) ?? DEFAULT_DIALECT;
  const version = typeof app.extra.version === "string" ? app.extra.version : null;
  return (
    <li class={current ? "app app-current" : "app"}>
      <p class="app-name">
        <DetailsButton name={app.name} />
        {version && <span class="app-version">{version}</span>}
        {dialect !== DEFAULT_DIALECT && <span class="badge">{dialect.sdk.robotClass}</span>}
        {startup && <span class="badge">starts on wake-up</span>}
      </p>
      <div class="app-tools">
        <EditButton name={app.name} class="icon-button" />
        <SettingsButton app={app} class="icon-button" />
        {dashboard.community.hasUpdate(app) && (
          <Button
            small
            disabled={updating || !dashboard.connected.value}
            aria-label={`Update ${app.name}`}
            onClick={() => dashboard.update(app.name)}
          >
            {updating ? "Updating…" : "Update"}
          </Button>
        )}
        <IconButton
          icon="clear"
          label={`Remove ${app.name}`}
          disabled={current || !dashboard.connected.value}
          title="Remove"
          onClick={() =>
            dashboard.confirm({
              text: `Remove ${app.name}?`,
              detail: "The app is uninstalled, with the packages that no other app needs.",
              action: "Remove",
              run: () => dashboard.remove(app.name),
            })
          }
        />
        {current ? (
          <IconButton icon="stop" label={`Stop ${app.name}`} kind="stop" title="Stop" onClick={dashboard.stop} />
        ) : (
          <IconButton
            icon="play"
            label={running === null ? `Start ${app.name}` : `Stop ${running} and start ${app.name}`}
            kind="primary"
            disabled={!dashboard.connected.value}
            aria-disabled={slot.pending.value !== null}
            title={running === null ? "Start" : `Stop ${running} and start ${app.name}`}
            onClick={() => dashboard.start(app.name)}
          />
        )}
      </div>
      {app.description && <p class="app-description">{app.description}</p>}
    </li>
  );
}

/** The name of an app, which opens its details. */
export function DetailsButton({ name }: { name: string }) {
  const { appDetails } = usePage().dashboard;
  return (
    <button type="button" class="app-open" title="About this app" onClick={() => void appDetails.open(name)}>
      {name}
    </button>
  );
}

/** Opens the settings of an app that has some. */
export function SettingsButton({ app, class: look, label }: { app: AppInfo; class: string; label?: string }) {
  const { dashboard } = usePage();
  if (settingsPage(app) === undefined) return null;
  return (
    <button
      type="button"
      class={look}
      aria-label={label === undefined ? `Settings of ${app.name}` : undefined}
      title="Settings"
      onClick={() => {
        dashboard.settingsOf.value = app.name;
      }}
    >
      <Icon name="settings" /> {label}
    </button>
  );
}
