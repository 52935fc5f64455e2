import type { AppDetails } from "../../robot/wire/apps/app-details.ts";
import type { AppSetting, SettingValue } from "../../robot/wire/apps/app-settings.ts";
import { Button } from "../../ui/components/buttons.tsx";
import { usePage } from "../shell/context.ts";

/** What an app declares that a person can set, whether it runs or not. */
export function AppSettings({ details: { settings, settings_error } }: { details: AppDetails }) {
  const { dashboard } = usePage();
  if (settings_error !== null) return <p class="run-cause">{settings_error}</p>;
  if (settings.length === 0) return null;
  const disabled = !dashboard.connected.value;
  const set = dashboard.appDetails.setSettings;
  const defaults = Object.fromEntries(settings.map(({ name }) => [name, null]));
  return (
    <>
      <h3>Settings</h3>
      {settings.map((setting) => (
        <div key={setting.name} class="app-setting">
          <label for={idOf(setting)}>{setting.title ?? setting.name}</label>
          <Field setting={setting} disabled={disabled} set={(value) => void set({ [setting.name]: value })} />
        </div>
      ))}
      <Button
        disabled={disabled || settings.every(({ value, default: usual }) => value === usual)}
        onClick={() => void set(defaults)}
      >
        Use the defaults
      </Button>
    </>
  );
}

const idOf = ({ name }: AppSetting): string => `setting-${name}`;

interface FieldProps {
  setting: AppSetting;
  disabled: boolean;
  set(value: SettingValue): void;
}

function Field({ setting, disabled, set }: FieldProps) {
  const { value, default: usual, choices, min, max } = setting;
  const shared = { id: idOf(setting), disabled };
  if (typeof usual === "boolean")
    return (
      <input
        {...shared}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    );
  if (choices !== undefined)
    return (
      <select
        {...shared}
        class="field"
        value={String(value)}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (typeof usual === "string")
    return (
      <input
        {...shared}
        class="field"
        value={String(value)}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  return (
    <input
      {...shared}
      class="field"
      type="number"
      step="any"
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      value={Number(value)}
      onChange={({ currentTarget }) => set(currentTarget.valueAsNumber)} // an empty one is the default
    />
  );
}
