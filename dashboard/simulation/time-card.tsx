import { useSignal, useSignalEffect } from "@preact/signals";
import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { useNow, usePage } from "../shell/context.ts";
import { SLIDER_STEP } from "./time-model.ts";
import "./simulation.css";

const SPEEDS = [1, 0.5, 0.25, 0.1];
/** Milliseconds between two drawings while the time passes. */
const INTERVAL = 500;

/** Pause, single steps, slow motion and rewinding of a simulated robot. */
export function TimeCard() {
  const { simulatedTime } = usePage().dashboard;
  const open = useSignal(false);
  const { paused, speed } = simulatedTime;
  // Also of a simulation that replaces another.
  useSignalEffect(() => {
    if (open.value && !simulatedTime.isKept.value) void simulatedTime.keep();
  });
  return (
    <section class="card time-card" aria-label="Time of the simulation">
      <details
        onToggle={({ currentTarget }) => {
          open.value = currentTarget.open;
        }}
      >
        <summary>
          <h2>Time</h2>
          <span class="muted">{open.value ? "the last 30 s" : "pause, slow motion, rewind"}</span>
          {paused.value && <span class="chip tone-warn">paused</span>}
          {!paused.value && speed.value !== 1 && <span class="chip tone-neutral">{speed.value}× speed</span>}
        </summary>
        {open.value && <TimeControls />}
      </details>
    </section>
  );
}

function TimeControls() {
  const { dashboard } = usePage();
  const { simulatedTime, connected } = dashboard;
  const { paused, speed } = simulatedTime;
  useNow(!paused.value, INTERVAL);
  const { oldest, shown } = simulatedTime.range;
  const ago = shown > -SLIDER_STEP / 2 ? "now" : `${(-shown).toFixed(1)} s ago`;
  const disabled = !connected.value;
  return (
    <>
      <label class="slider time-slider">
        <span>Moment</span>
        <input
          type="range"
          min={oldest}
          max={0}
          step={SLIDER_STEP}
          value={shown}
          disabled={disabled || oldest === 0}
          aria-valuetext={ago}
          onInput={({ currentTarget }) => simulatedTime.show(Number(currentTarget.value))}
        />
        <output>{ago}</output>
      </label>
      <div class="row time-buttons">
        {/* One button with two labels: a button that is replaced loses the focus. */}
        <Button disabled={disabled} onClick={() => (paused.peek() ? simulatedTime.resume() : simulatedTime.pause())}>
          <Icon name={paused.value ? "play" : "pause"} />
          {!paused.value ? "Pause" : ago === "now" ? "Go on" : "Go on from here"}
        </Button>
        <Button title="Pause, and let 0.02 s pass" disabled={disabled} onClick={simulatedTime.step}>
          <Icon name="step" /> Step
        </Button>
        <select
          class="field"
          aria-label="Speed"
          disabled={disabled}
          value={speed.value}
          onChange={({ currentTarget }) => simulatedTime.setSpeed(Number(currentTarget.value))}
        >
          {SPEEDS.map((factor) => (
            <option key={factor} value={factor}>
              {factor === 1 ? "real time" : `${factor}× speed`}
            </option>
          ))}
        </select>
      </div>
      <p class="muted">
        {paused.value
          ? "The app goes on in real time; its moves act when the robot goes on."
          : "The app goes on in real time when the robot is paused or slowed down."}
        {paused.value &&
          ago !== "now" &&
          " The motors are then as they were at this moment; later moments are dropped."}
      </p>
    </>
  );
}
