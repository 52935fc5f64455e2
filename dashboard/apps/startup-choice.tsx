import { sameName } from "../../robot/wire/apps/app-search.ts";
import { usePage } from "../shell/context.ts";

/** Chooses the app that starts after a wake-up, and when a person touches an antenna of the sleeping robot. */
export function StartupChoice() {
  const { dashboard } = usePage();
  const chosen = dashboard.startupApp.value;
  const names = (dashboard.apps.value ?? []).map(({ name }) => name);
  const installed = names.find((name) => sameName(name, chosen ?? ""));
  return (
    <label class="startup" title="After a wake-up, and on a touch of an antenna while the robot sleeps">
      <span>Start on wake-up</span>
      <select
        class="field"
        disabled={!dashboard.connected.value}
        value={installed ?? chosen ?? ""}
        onChange={({ currentTarget }) => dashboard.setStartupApp(currentTarget.value || null)}
      >
        <option value="">no app</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        {chosen !== null && installed === undefined && <option value={chosen}>{chosen} (not installed)</option>}
      </select>
    </label>
  );
}
