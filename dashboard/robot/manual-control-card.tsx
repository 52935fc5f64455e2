import { useSignal } from "@preact/signals";
import { Button } from "../../ui/components/buttons.tsx";
import { usePage } from "../shell/context.ts";
import { SLIDERS } from "./manual-control.ts";

/** Moves the robot by hand: sliders and recorded moves. */
export function ManualControlCard() {
  const { dashboard } = usePage();
  const { manualControl, robot, slot, connected } = dashboard;
  const move = useSignal("");
  const asleep = robot.phase.value !== "running" || !robot.awake.value;
  const why = slot.busy.value ? "An app moves the robot: stop it first." : asleep ? "Wake the robot up first." : null;
  const disabled = why !== null || !connected.value;
  const moves = manualControl.moves.value ?? [];
  const chosen = move.value || (moves[0] ?? "");
  return (
    <section class="card" aria-label="Move by hand">
      <details class="manual-control" onToggle={() => void manualControl.loadMoves()}>
        <summary>
          <h3>Move by hand</h3>
        </summary>
        {why !== null && <p class="muted">{why}</p>}
        <div class="manual-control-sliders">
          {SLIDERS.map(({ key, label, unit, range }) => (
            <label key={key} class="slider">
              <span>{label}</span>
              <input
                type="range"
                min={-range}
                max={range}
                disabled={disabled}
                value={manualControl.pose.value[key]}
                onInput={({ currentTarget }) => manualControl.set(key, Number(currentTarget.value))}
              />
              <output>{`${manualControl.pose.value[key]}${unit}`}</output>
            </label>
          ))}
        </div>
        <div class="row">
          <Button disabled={disabled} onClick={manualControl.centre}>
            Centre
          </Button>
          <select
            class="field manual-control-moves"
            aria-label="Recorded move"
            disabled={disabled || moves.length === 0}
            value={chosen}
            onChange={({ currentTarget }) => {
              move.value = currentTarget.value;
            }}
          >
            {moves.map((name) => (
              <option key={name} value={name}>
                {name.replaceAll("_", " ")}
              </option>
            ))}
          </select>
          <Button disabled={disabled || chosen === ""} onClick={() => manualControl.play(chosen)}>
            Play
          </Button>
        </div>
      </details>
    </section>
  );
}
