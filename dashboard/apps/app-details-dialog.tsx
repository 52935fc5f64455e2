import { useEffect } from "preact/hooks";
import type { AppDetails, AppVerdict } from "../../robot/wire/apps/app-details.ts";
import { sizeText } from "../../robot/wire/apps/install-text.ts";
import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";
import { Dialog } from "../shell/dialog.tsx";
import { AppSettings } from "./app-settings.tsx";
import { Readme } from "./readme.tsx";
import { RunsList } from "./runs-list.tsx";
import { verdictBadge } from "./verdict-badge.ts";
import "./dialogs.css";

const USES = {
  camera: "Camera",
  microphone: "Microphone",
  speaker: "Speaker",
  network: "Network",
} as const;

/** The page of an app: what it is, what it uses, its runs, its data. */
export function AppDetailsDialog() {
  const { dashboard } = usePage();
  const { appDetails, slot } = dashboard;
  const name = appDetails.name.value;
  const state = slot.status.value?.state;
  // A run has begun or ended.
  useEffect(() => void appDetails.refresh(), [appDetails, state]);
  if (name === null) return null;
  const details = appDetails.details.value;
  return (
    <Dialog title={name} class="app-page" close={appDetails.close}>
      {details === null ? (
        <p class="muted">Loading…</p>
      ) : (
        <>
          <Facts details={details} />
          <Choices details={details} />
          <AppSettings details={details} />
          <h3>Runs</h3>
          <RunsList app={name} runs={appDetails.runs.value} />
          {details.readme !== null && (
            <>
              <h3>README</h3>
              <Readme text={details.readme} />
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** What `certify` said, as a badge and one line. */
function Verdict({ verdict }: { verdict: AppVerdict | null }) {
  const { text, tone } = verdictBadge(verdict);
  return (
    <>
      <span class={`badge tone-${tone}`}>{text}</span>
      {verdict !== null && (
        <>
          {" on "}
          {day.format(verdict.at)}
          {verdict.of_installed ? "" : ", of other files than those installed"}
          <span class="muted"> (by its author; robot-app-assistant verify checks it)</span>
        </>
      )}
    </>
  );
}

function Facts({ details: { info, picture, code_bytes, data_bytes, uses, verdict } }: { details: AppDetails }) {
  const { origin, version, isolated } = info.extra;
  return (
    <div class="app-facts">
      {picture !== null && (
        <span class="app-picture" aria-hidden="true">
          {picture}
        </span>
      )}
      <div>
        {info.description && <p>{info.description}</p>}
        <dl>
          <dt>Version</dt>
          <dd>{version ?? "unknown"}</dd>
          {origin !== undefined && (
            <>
              <dt>From</dt>
              <dd>
                {origin.kind === "hf_space" ? (
                  <a href={origin.from} target="_blank" rel="noreferrer">
                    {origin.from}
                  </a>
                ) : (
                  origin.from
                )}
              </dd>
            </>
          )}
          <dt>Verdict</dt>
          <dd>
            <Verdict verdict={verdict} />
          </dd>
          <dt>Size</dt>
          <dd>
            {sizeText(code_bytes)}
            {isolated === true && " with an environment of its own"}, data {sizeText(data_bytes)}
          </dd>
          <dt>Uses</dt>
          <dd>
            {uses === null ? (
              "unknown"
            ) : (
              <ul class="uses">
                <li class="badge">Motors</li>
                {uses.map(({ what, file, line }) => (
                  <li key={what} class="badge" title={`${file}, line ${line}`}>
                    {USES[what]}
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </dl>
        {uses !== null && <p class="muted app-note">By reading its code; what its dependencies do is not read.</p>}
      </div>
    </div>
  );
}

function Choices({ details: { info, data_bytes, restart_after_crash } }: { details: AppDetails }) {
  const { dashboard } = usePage();
  const connected = dashboard.connected.value;
  const busy = dashboard.slot.busy.value && dashboard.slot.status.value?.info.name === info.name;
  return (
    <div class="app-choices">
      <label class="check">
        <input
          type="checkbox"
          checked={restart_after_crash}
          disabled={!connected}
          onChange={({ currentTarget }) => dashboard.appDetails.setRestart(currentTarget.checked)}
        />
        Start it again when it fails, three times at most
      </label>
      <div class="row">
        <Button
          disabled={!connected}
          aria-disabled={dashboard.slot.pending.value !== null}
          onClick={() => (busy ? dashboard.stop() : dashboard.start(info.name))}
        >
          <Icon name={busy ? "stop" : "play"} /> {busy ? "Stop" : "Start"}
        </Button>
        <Button
          disabled={!connected || busy || data_bytes === 0}
          title={busy ? "Stop the app first" : "Delete the files that it wrote into its working folder"}
          onClick={() =>
            dashboard.confirm({
              text: `Delete the data of ${info.name}?`,
              detail: `The files that it wrote into its working folder (${sizeText(data_bytes)}) are deleted.`,
              action: "Delete",
              run: dashboard.appDetails.resetData,
            })
          }
        >
          <Icon name="clear" /> Reset its data…
        </Button>
      </div>
    </div>
  );
}
