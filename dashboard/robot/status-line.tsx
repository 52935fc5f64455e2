import { usePage } from "../shell/context.ts";

const MOTORS = { enabled: "Motors on", disabled: "Motors off", gravity_compensation: "Moved by hand" };
const PHASES = {
  not_initialized: "Not started",
  starting: "Starting",
  running: "Running",
  stopping: "Stopping",
  stopped: "Stopped",
  error: "Fault",
};
const MOVES = {
  goto: "Moving",
  recorded: "Playing a move",
  wake_up: "Waking up",
  goto_sleep: "Going to sleep",
  return_to_default: "Returning to default",
};

/** Share of lost servo answers from which a warning is shown. */
const WARN_LOSS = 0.05;

/** State, motors, control loop and kind of the robot. */
export function StatusLine() {
  const { robot } = usePage().dashboard;
  const phase = robot.phase.value;
  const move = robot.move.value;
  const loop = robot.loop.value;
  const awake = robot.awake.value;
  const loss = robot.answerLoss.value;
  const state = phase !== "running" ? PHASES[phase] : move ? MOVES[move.kind] : awake ? "Awake" : "Asleep";
  const tone = phase === "error" ? "bad" : phase !== "running" ? "warn" : awake ? "good" : "neutral";
  return (
    <ul class="chips" aria-label="Robot status">
      <li class={`chip tone-${tone}`}>
        <i class="dot" aria-hidden="true" />
        {state}
      </li>
      <li class="chip">{MOTORS[robot.motorMode.value]}</li>
      {robot.simulated.value !== null && <li class="chip">{robot.simulated.value ? "Simulated" : "Hardware"}</li>}
      {loop && loop.frequencyHz > 0 && (
        <li
          class="chip chip-figures"
          title={`Control loop: 99 % of periods at most ${loop.periodP99Ms.toFixed(2)} ms, ${loop.missed} missed`}
        >
          {loop.frequencyHz.toFixed(0)} Hz
        </li>
      )}
      {loss >= WARN_LOSS && loop && (
        <li class="chip tone-warn" title={`${loop.busErrors} answers of the servos were late, damaged or missing`}>
          {/* A simulated bus loses nothing: its answers are late because this machine is overloaded. */}
          {robot.simulated.value ? "Machine overloaded" : `${(loss * 100).toFixed(0)} % of servo answers lost`}
        </li>
      )}
    </ul>
  );
}
