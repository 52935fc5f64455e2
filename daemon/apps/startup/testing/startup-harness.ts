import { Emitter } from "../../../../common/emitter.ts";
import { JumpingClock } from "../../../../common/testing/jumping-clock.ts";
import type { AppStatus } from "../../../../robot/wire/apps/app-status.ts";
import type { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { RecordingRobot } from "../../testing/recording-robot.ts";
import { StartupApp } from "../startup-app.ts";

/** A startup app named hello, with a slot, an installer and a robot that record what is asked of them. */
export class StartupHarness {
  readonly robot = new RecordingRobot();
  readonly clock = new JumpingClock();
  /** Names of the apps that were started and installed, in order. */
  started: string[] = [];
  readonly installs: string[] = [];
  /** What users were told. */
  readonly problems: string[] = [];
  readonly starts: string[] = [];
  /** Whether an app holds the slot, and whether a program outside the slot moves the robot. */
  busy = false;
  remote = false;
  /** The result of installing and of starting the app. */
  installing: Promise<void> = Promise.resolve();
  startError: WorkbenchError | null = null;
  readonly changes = new Emitter<AppStatus>();
  readonly userDecisions = new Emitter<"start" | "stop">();
  startup = this.create();

  create(): StartupApp {
    const harness = this;
    const created = new StartupApp("hello", {
      robot: this.robot,
      clock: this.clock,
      checkAvailable: async () => {},
      ensureInstalled: async (name) => {
        this.installs.push(name);
        await this.installing;
      },
      save: async () => {},
      slot: {
        changes: this.changes,
        userDecisions: this.userDecisions,
        get busy() {
          return harness.busy;
        },
        async start(app) {
          harness.started.push(app);
          if (harness.startError !== null) throw harness.startError;
          return appStatus("starting");
        },
      },
      onProblem: (message) => this.problems.push(message),
      onStart: (message) => this.starts.push(message),
    });
    created.begin(() => this.remote);
    return created;
  }

  /** The robot has woken up. */
  wake(): void {
    this.robot.becomes({ awake: true });
  }
}

/** A status of the app hello. */
export const appStatus = (state: AppStatus["state"], error: string | null = null): AppStatus => ({
  info: { name: "hello", source_kind: "installed", description: "", url: null, extra: {} },
  state,
  error,
  since: 0,
});

/** Lets promises that are settled continue. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
