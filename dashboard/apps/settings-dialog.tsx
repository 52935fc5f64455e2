import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";
import { Dialog } from "../shell/dialog.tsx";
import { settingsPage } from "./settings-page.ts";

/** The settings page of an app, which the app serves while it runs. */
export function SettingsDialog() {
  const { dashboard } = usePage();
  const name = dashboard.settingsOf.value;
  const app = dashboard.apps.value?.find((each) => each.name === name);
  const page = app && settingsPage(app);
  if (name === null || page === undefined) return null;
  const runs = dashboard.slot.runs(name);
  return (
    <Dialog
      title={`Settings of ${name}`}
      class="settings"
      close={() => {
        dashboard.settingsOf.value = null;
      }}
      tools={
        runs && (
          <a
            class="icon-button"
            href={page}
            target="_blank"
            rel="noopener"
            aria-label="Open in a tab"
            title="Open in a tab"
          >
            <Icon name="external" />
          </a>
        )
      }
    >
      {runs ? (
        <iframe
          src={page}
          title={`Settings of ${name}`}
          sandbox="allow-scripts allow-forms allow-same-origin allow-modals allow-downloads allow-popups"
        />
      ) : (
        <div class="settings-wait">
          <p class="muted">{name} serves its settings while it runs.</p>
          <Button
            kind="primary"
            disabled={!dashboard.connected.value}
            aria-disabled={dashboard.slot.pending.value !== null}
            onClick={() => dashboard.start(name)}
          >
            Start {name}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
