import type { Robot, RobotEvent, RobotState } from "../../control/robot.ts";

/** A robot without servos: it remembers what it was told, and a test says what it reports. */
export class RecordingRobot {
  readonly calls: string[] = [];
  state: RobotState = {
    timestamp: 0,
    phase: "running",
    motorMode: "enabled",
    awake: false,
    headJoints: [0, 0, 0, 0, 0, 0, 0],
    antennas: [0, 0],
    headPose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    sent: null,
    move: null,
    loop: { frequencyHz: 100, periodP50Ms: 10, periodP99Ms: 10, missed: 0, busErrors: 0 },
    error: null,
  };
  readonly #stateListeners = new Set<(state: RobotState) => void>();
  readonly #eventListeners = new Set<(event: RobotEvent) => void>();

  /** The robot reports something else than before. */
  becomes(change: Partial<RobotState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.#stateListeners]) listener(this.state);
  }

  touchAntenna(): void {
    const event: RobotEvent = { kind: "antenna_touched", level: "info", message: "", data: {} };
    for (const listener of [...this.#eventListeners]) listener(event);
  }

  onState(listener: (state: RobotState) => void) {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  onEvent(listener: (event: RobotEvent) => void) {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  async wakeUp() {
    this.calls.push("wakeUp");
    this.becomes({ move: { id: "wake", kind: "wake_up" }, awake: true });
    this.becomes({ move: null });
    return "finished" as const;
  }

  async returnToDefault() {
    this.calls.push("returnToDefault");
    return "finished" as const;
  }

  async cancelMove() {
    this.calls.push("cancelMove");
    return true;
  }

  guardApp(group: { pid: number } | null): void {
    this.calls.push(group === null ? "guard nothing" : "guard");
  }

  /** As the whole interface: the app host uses no more of it than there is here. */
  asRobot(): Robot {
    return this as unknown as Robot;
  }
}
