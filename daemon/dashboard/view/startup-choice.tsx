import { sameName } from "../../../robot/wire/app-search.ts";
import { usePage } from "./context.ts";

/** Which app starts when the robot has woken up, and when somebody touches an antenna while it sleeps. */
export function StartupChoice() {
  const { dashboard } = usePage();
  const chosen = dashboard.startupApp.value;
  const names = (dashboard.apps.value ?? []).map(({ name }) => name);
  const known = names.find((name) => sameName(name, chosen ?? ""));
  return (
    <label class="startup" title="After a wake-up, and on a touch of an antenna while the robot sleeps">
      <span>On wake-up, start</span>
      <select
        disabled={!dashboard.connected.value}
        value={known ?? chosen ?? ""}
        onChange={({ currentTarget }) => dashboard.setStartupApp(currentTarget.value || null)}
      >
        <option value="">nothing</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        {chosen !== null && known === undefined && <option value={chosen}>{chosen} (not installed)</option>}
      </select>
    </label>
  );
}
