import { Emitter } from "../../../common/emitter.ts";
import type { RobotEvent } from "../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../robot/wire/robot/robot-state.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { unknownState } from "../../robot-client/unknown-state.ts";

/** A robot without servos, for tests: it records the calls that it gets, and reports what the test says. */
export class RecordingRobot {
  readonly calls: string[] = [];
  state: RobotState = { ...unknownState(0), phase: "running", motorMode: "enabled" };
  readonly #states = new Emitter<RobotState>();
  readonly #events = new Emitter<RobotEvent>();

  /** Changes the robot's state and reports it. */
  becomes(change: Partial<RobotState>): void {
    this.state = { ...this.state, ...change };
    this.#states.emit(this.state);
  }

  /** Reports an event of this kind. */
  report(kind: RobotEvent["kind"], data: RobotEvent["data"] = {}): void {
    this.#events.emit({ kind, level: "info", message: "", data });
  }

  onState(listener: (state: RobotState) => void) {
    return this.#states.on(listener);
  }

  onEvent(listener: (event: RobotEvent) => void) {
    return this.#events.on(listener);
  }

  async wakeUp() {
    this.calls.push("wakeUp");
    this.becomes({ move: { id: "wake", kind: "wake_up" }, awake: true });
    this.becomes({ move: null });
    return "finished" as const;
  }

  async cancelMove() {
    this.calls.push("cancelMove");
    return true;
  }

  async beginAppSession() {
    this.calls.push("beginAppSession");
  }

  async endAppSession() {
    this.calls.push("endAppSession");
    return "finished" as const;
  }

  /** This robot as the whole interface; the app host uses no other methods. */
  asRobot(): Robot {
    return this as unknown as Robot;
  }
}
