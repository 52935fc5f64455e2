import type { AppInfo } from "../../../robot/wire/apps.ts";
import type { Offer } from "../model/community.ts";
import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";
import { stageOf } from "./job-row.tsx";

/** An app of the hub: what it is, and the one thing that can be done with it. */
export function OfferRow({ app }: { app: AppInfo }) {
  const { dashboard } = usePage();
  const offer = dashboard.community.offerOf(app, dashboard.apps.value ?? [], dashboard.jobs.value);
  const { emoji, author, likes, private: hidden } = app.extra;
  return (
    <li class="app offer">
      <span class="offer-emoji" aria-hidden="true">
        {typeof emoji === "string" && emoji !== "" ? emoji : "🤖"}
      </span>
      <div class="offer-text">
        <p class="app-name">
          <a href={app.url ?? "#"} target="_blank" rel="noreferrer">
            {app.name}
          </a>
        </p>
        <p class="offer-by">
          {String(author)}
          {typeof likes === "number" && likes > 0 && (
            <span>
              <Icon name="heart" /> {likes}
              <span class="hidden"> likes</span>
            </span>
          )}
          {hidden === true && <span>private</span>}
        </p>
      </div>
      <OfferAction app={app} offer={offer} />
      {app.description && <p class="app-about">{app.description}</p>}
      {offer.kind === "coming" && <progress max={100} value={offer.job.percent} aria-label={`${app.name} comes`} />}
    </li>
  );
}

function OfferAction({ app, offer }: { app: AppInfo; offer: Offer }) {
  const { dashboard } = usePage();
  const ready = dashboard.connected.value;
  const install = () => void dashboard.install(app.url ?? "");
  switch (offer.kind) {
    case "coming":
      return (
        <span class="offer-state" role="status">
          {stageOf(offer.job)}
        </span>
      );
    case "installed":
      return (
        <span class="offer-state offer-here">
          <Icon name="check" /> Installed
        </span>
      );
    case "outdated":
      return (
        <button
          type="button"
          class="button button-small button-primary"
          disabled={!ready}
          aria-label={`Update ${app.name}`}
          onClick={install}
        >
          Update
        </button>
      );
    case "taken":
      return (
        <button
          type="button"
          class="button button-small"
          disabled={!ready}
          aria-label={`Replace ${offer.app.name} by this one`}
          onClick={() =>
            dashboard.ask({
              text: `Replace ${offer.app.name}?`,
              detail: `An app of this name is installed from elsewhere; ${app.url} would take its place.`,
              action: "Replace",
              run: install,
            })
          }
        >
          Replace…
        </button>
      );
    default:
      return (
        <button
          type="button"
          class="button button-small"
          disabled={!ready}
          aria-label={`Install ${app.name}`}
          onClick={install}
        >
          Install
        </button>
      );
  }
}
