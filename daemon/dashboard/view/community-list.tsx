import { useRef } from "preact/hooks";
import type { AppInfo } from "../../../robot/wire/apps.ts";
import { duration } from "../format.ts";
import { useNow, usePage } from "./context.ts";
import { Icon } from "./icons.tsx";
import { OfferRow } from "./offer-row.tsx";

const MINUTE = 60_000;

/** What the hub offers: searched, page by page, and how old the list is. */
export function CommunityList() {
  const { dashboard } = usePage();
  const { community } = dashboard;
  const list = useRef<HTMLUListElement>(null);
  const catalogue = community.catalogue.value;
  if (catalogue === null) return <p class="muted community-wait">Asking the hub…</p>;
  const found = community.found.value;
  const shown = community.shown.value;
  const more = () => {
    community.showMore();
    // The first of those that come is what a keyboard goes on with.
    requestAnimationFrame(() => list.current?.children[shown.length]?.querySelector("a")?.focus());
  };
  return (
    <>
      <HubNotice />
      {catalogue.apps.length > 0 && (
        <div class="community-search">
          <input
            type="search"
            class="filter"
            aria-label="Search the community's apps"
            placeholder="Search by name, author or what it does"
            value={community.query.value}
            onInput={({ currentTarget }) => community.search(currentTarget.value)}
          />
        </div>
      )}
      {catalogue.apps.length > 0 && (
        <p class="community-count muted" role="status">
          {counted(found.length, catalogue.apps.length)}
        </p>
      )}
      {shown.length > 0 && (
        <ul ref={list} class="apps offers" aria-label="Apps of the community">
          {shown.map((app: AppInfo) => (
            <OfferRow key={app.url} app={app} />
          ))}
          {shown.length < found.length && (
            <li class="offers-more">
              <button type="button" class="button button-small" onClick={more}>
                Show more ({found.length - shown.length} left)
              </button>
            </li>
          )}
        </ul>
      )}
      {catalogue.apps.length > 0 && found.length === 0 && (
        <div class="empty">
          <p>No app fits “{community.query.value}”.</p>
          <button type="button" class="button button-small" onClick={() => community.search("")}>
            Show all
          </button>
        </div>
      )}
      {catalogue.apps.length === 0 && catalogue.offline === null && (
        <div class="empty">
          <p>{catalogue.hub} offers no robot app yet. Be the first: create one, then publish it.</p>
          <code>robot-app-assistant create my_app .</code>
          <code>robot-app-assistant publish ./my_app</code>
        </div>
      )}
    </>
  );
}

const counted = (found: number, all: number): string =>
  found === all ? `${all} ${all === 1 ? "app" : "apps"}` : `${found} of ${all} apps`;

/** How old the list is, and why when the hub cannot be asked. */
function HubNotice() {
  const { dashboard } = usePage();
  const { community } = dashboard;
  const now = useNow(true, MINUTE);
  const catalogue = community.catalogue.value;
  const age = community.age(now);
  const offline = catalogue?.offline ?? null;
  const told = age === null ? null : age < MINUTE ? "a moment ago" : `${duration(age, "minutes")} ago`;
  return (
    <div class={offline === null ? "hub" : "hub hub-offline"}>
      <p>
        {offline === null ? (
          <>
            {new URL(catalogue?.hub ?? location.href).host}, asked {told}
          </>
        ) : (
          <>
            <b>The hub cannot be reached.</b>{" "}
            {told === null ? "It was never reached from here, so there is nothing to show." : `The list is of ${told}.`}
          </>
        )}
      </p>
      <button
        type="button"
        class="icon-button"
        disabled={community.loading.value || !dashboard.connected.value}
        aria-label="Ask the hub again"
        title="Ask the hub again"
        onClick={() => void dashboard.browse(true)}
      >
        <Icon name="refresh" />
      </button>
      {offline !== null && <p class="hub-why">{offline}</p>}
    </div>
  );
}
