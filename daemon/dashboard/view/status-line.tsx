import { usePage } from "./context.ts";

const MOTORS = { enabled: "Motors on", disabled: "Motors off", gravity_compensation: "Floating" };
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
  wake_up: "Waking up",
  goto_sleep: "Going to sleep",
  return_to_default: "Returning to default",
};

/** Share of failed bus exchanges that people should know of. */
const NOTEWORTHY = 0.05;

/** State, motors, loop and kind of the robot in a row of chips. */
export function StatusLine() {
  const { robot } = usePage().dashboard;
  const phase = robot.phase.value;
  const move = robot.move.value;
  const loop = robot.loop.value;
  const awake = robot.awake.value;
  const trouble = robot.busTrouble.value;
  const state = phase !== "running" ? PHASES[phase] : move ? MOVES[move.kind] : awake ? "Awake" : "Asleep";
  const tone = phase === "error" ? "bad" : phase !== "running" ? "warn" : awake ? "good" : "calm";
  return (
    <ul class="chips" aria-label="Robot status">
      <li class={`chip chip-${tone}`}>
        <i class="dot" aria-hidden="true" />
        {state}
      </li>
      <li class="chip">{MOTORS[robot.motorMode.value]}</li>
      {robot.simulated.value !== null && <li class="chip">{robot.simulated.value ? "Simulated" : "Hardware"}</li>}
      {loop && loop.frequencyHz > 0 && (
        <li
          class="chip chip-figures"
          title={`Control loop; 99 % of periods within ${loop.periodP99Ms.toFixed(2)} ms, ${loop.missed} missed`}
        >
          {loop.frequencyHz.toFixed(0)} Hz
        </li>
      )}
      {trouble >= NOTEWORTHY && loop && (
        <li class="chip chip-warn" title={`${loop.busErrors} answers of the servos came late, damaged or not at all`}>
          {/* Nothing is lost on the way to a simulated servo: this machine has too little time for it. */}
          {robot.simulated.value ? "Machine is busy" : `${(trouble * 100).toFixed(0)} % of answers lost`}
        </li>
      )}
    </ul>
  );
}
