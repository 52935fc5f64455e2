import { useRef } from "preact/hooks";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { Button, IconButton } from "../../ui/components/buttons.tsx";
import { formatDuration } from "../../ui/format/format.ts";
import { useNow, usePage } from "../shell/context.ts";
import { CommunityAppRow } from "./community-app-row.tsx";
import "./community.css";

const MINUTE = 60_000;

/** The apps of the hub with a search box, and the age of the list. */
export function CommunityList() {
  const { dashboard } = usePage();
  const { community } = dashboard;
  const list = useRef<HTMLUListElement>(null);
  const catalogue = community.catalogue.value;
  if (catalogue === null) return <p class="muted community-wait">Loading from the hub…</p>;
  const matches = community.matches.value;
  const visible = community.visible.value;
  const showMore = () => {
    community.showMore();
    // The keyboard focus continues at the first added app.
    requestAnimationFrame(() => list.current?.children[visible.length]?.querySelector("a")?.focus());
  };
  return (
    <>
      <HubStatus />
      {catalogue.apps.length > 0 && (
        <>
          <div class="community-search">
            <input
              type="search"
              class="field filter"
              aria-label="Search the community's apps"
              placeholder="Search by name, author or what it does"
              value={community.query.value}
              onInput={({ currentTarget }) => community.search(currentTarget.value)}
            />
          </div>
          <p class="community-count muted" role="status">
            {countLabel(matches.length, catalogue.apps.length)}
          </p>
        </>
      )}
      {visible.length > 0 && (
        <ul ref={list} class="apps community-apps" aria-label="Apps of the community">
          {visible.map((app: AppInfo) => (
            <CommunityAppRow key={app.url} app={app} />
          ))}
          {visible.length < matches.length && (
            <li class="community-more">
              <Button small onClick={showMore}>
                Show more ({matches.length - visible.length} left)
              </Button>
            </li>
          )}
        </ul>
      )}
      {catalogue.apps.length > 0 && matches.length === 0 && (
        <div class="empty">
          <p>No app matches “{community.query.value}”.</p>
          <Button small onClick={() => community.search("")}>
            Show all
          </Button>
        </div>
      )}
      {catalogue.apps.length === 0 && catalogue.offline === null && (
        <div class="empty">
          <p>{catalogue.hub} has no robot app yet. Create one and publish it:</p>
          <code>robot-app-assistant create my_app</code>
          <code>robot-app-assistant publish ./my_app</code>
        </div>
      )}
    </>
  );
}

const countLabel = (found: number, all: number): string =>
  found === all ? `${all} ${all === 1 ? "app" : "apps"}` : `${found} of ${all} apps`;

/** The age of the list, and why the hub cannot be reached. */
function HubStatus() {
  const { dashboard } = usePage();
  const { community } = dashboard;
  useNow(true, MINUTE);
  const catalogue = community.catalogue.value;
  const age = community.age();
  const offline = catalogue?.offline ?? null;
  const loaded = age === null ? null : age < MINUTE ? "a moment ago" : `${formatDuration(age, "minutes")} ago`;
  return (
    <div class={offline === null ? "hub" : "hub hub-offline"}>
      <p>
        {offline === null ? (
          <>
            {new URL(catalogue?.hub ?? location.href).host}, loaded {loaded}
          </>
        ) : (
          <>
            <b>The hub cannot be reached.</b>{" "}
            {loaded === null ? "It has never been reached, so the list is empty." : `This list was loaded ${loaded}.`}
          </>
        )}
      </p>
      <IconButton
        icon="refresh"
        label="Reload from the hub"
        disabled={community.loading.value || !dashboard.connected.value}
        onClick={() => void dashboard.browse(true)}
      />
      {offline !== null && <p class="hub-why">{offline}</p>}
    </div>
  );
}
