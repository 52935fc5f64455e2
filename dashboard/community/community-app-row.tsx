import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { jobProgressLabel } from "../install/job-row.tsx";
import { usePage } from "../shell/context.ts";
import type { CatalogueState } from "./community-model.ts";

/** An app of the hub, with the button that installs, updates or replaces it. */
export function CommunityAppRow({ app }: { app: AppInfo }) {
  const { dashboard } = usePage();
  const state = dashboard.community.stateOf(app, dashboard.apps.value ?? [], dashboard.jobs.value);
  const { emoji, author, likes, private: isPrivate } = app.extra;
  return (
    <li class="app community-app">
      <span class="community-emoji" aria-hidden="true">
        {typeof emoji === "string" && emoji !== "" ? emoji : "🤖"}
      </span>
      <div>
        <p class="app-name">
          <a href={app.url ?? "#"} target="_blank" rel="noreferrer">
            {app.name}
          </a>
        </p>
        <p class="community-author">
          {String(author)}
          {typeof likes === "number" && likes > 0 && (
            <span>
              <Icon name="heart" /> {likes}
              <span class="visually-hidden"> likes</span>
            </span>
          )}
          {isPrivate === true && <span>private</span>}
        </p>
      </div>
      <Action app={app} state={state} />
      {app.description && <p class="app-description">{app.description}</p>}
      {state.kind === "installing" && (
        <progress max={100} value={state.job.percent} aria-label={`Installing ${app.name}`} />
      )}
    </li>
  );
}

/** What can be done with the app now: its state, or a button. */
function Action({ app, state }: { app: AppInfo; state: CatalogueState }) {
  const { dashboard } = usePage();
  const install = () => void dashboard.install(app.url ?? "");
  switch (state.kind) {
    case "installing":
      return (
        <span class="community-state" role="status">
          {jobProgressLabel(state.job)}
        </span>
      );
    case "installed":
      return (
        <span class="community-state community-installed">
          <Icon name="check" /> Installed
        </span>
      );
    case "outdated":
      return <ActionButton text="Update" label={`Update ${app.name}`} kind="primary" onClick={install} />;
    case "name-taken": {
      const confirmReplacing = () =>
        dashboard.confirm({
          text: `Replace ${state.app.name}?`,
          detail: `An app of this name is installed from another place; ${app.url} would replace it.`,
          action: "Replace",
          run: install,
        });
      const label = `Replace ${state.app.name} with this app`;
      return <ActionButton text="Replace…" label={label} onClick={confirmReplacing} />;
    }
    default:
      return <ActionButton text="Install" label={`Install ${app.name}`} onClick={install} />;
  }
}

interface ActionButtonProps {
  text: string;
  /** What assistive technology reads: the text with the app's name. */
  label: string;
  kind?: "primary" | undefined;
  onClick(): void;
}

function ActionButton({ text, label, kind, onClick }: ActionButtonProps) {
  const { dashboard } = usePage();
  return (
    <Button small kind={kind} disabled={!dashboard.connected.value} aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}
