import type { RefObject } from "preact";
import type { MotorMode } from "../../robot/wire/robot/robot-fields.ts";
import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";

const MODES: { mode: MotorMode; label: string; hint: string }[] = [
  { mode: "enabled", label: "On", hint: "The motors hold the commanded pose" },
  { mode: "disabled", label: "Off", hint: "The motors have no torque; the head sinks" },
  { mode: "gravity_compensation", label: "By hand", hint: "The motors carry the head's weight; move it by hand" },
];

/** Wake up, sleep, the motors, and touches of a simulated robot. */
export function QuickActions({ box }: { box: RefObject<HTMLDivElement | null> }) {
  const { dashboard } = usePage();
  const { robot } = dashboard;
  const ready = robot.phase.value === "running" && dashboard.connected.value;
  return (
    <div ref={box} class="actions" role="toolbar" aria-label="Quick actions">
      <Button
        disabled={!ready}
        aria-disabled={robot.awake.value}
        onClick={() => !robot.awake.peek() && dashboard.play("wake_up")}
      >
        <Icon name="sunrise" /> Wake up
      </Button>
      <Button
        title="The head goes down and the motors off; a running app is stopped first"
        disabled={!ready}
        aria-disabled={!robot.awake.value}
        onClick={() => robot.awake.peek() && dashboard.play("goto_sleep")}
      >
        <Icon name="moon" /> Sleep
      </Button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in a row */}
      <div class="segments" role="group" aria-labelledby="motors">
        <span id="motors">Motors</span>
        {MODES.map(({ mode, label, hint }) => (
          <button
            key={mode}
            type="button"
            class="segment"
            title={hint}
            disabled={!ready}
            aria-pressed={robot.motorMode.value === mode}
            onClick={() => dashboard.setMotorMode(mode)}
          >
            {label}
          </button>
        ))}
      </div>
      {robot.simulated.value && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in a row
        <div class="segments" role="group" aria-labelledby="touch">
          <span id="touch">Touch</span>
          {(["left", "right"] as const).map((antenna) => (
            <button
              key={antenna}
              type="button"
              class="segment"
              title={`Touch the ${antenna} antenna, as a hand does`}
              disabled={!ready}
              onClick={() => dashboard.touch(antenna)}
            >
              {antenna === "left" ? "Left" : "Right"}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
