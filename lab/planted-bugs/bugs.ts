/** A bug that is planted in a copy of the repository: `text`, which is there once, becomes `bug`. */
export interface PlantedBug {
  name: string;
  file: string;
  /** The scenarios of the row that it breaks, as a regular expression of their names. */
  row: string;
  text: string;
  bug: string;
}

const SLOT = "daemon/apps/slot/slot.ts";
const RUN = "daemon/apps/slot/run.ts";
const LOCKS = "daemon/apps/slot/app-locks.ts";
const ENVIRONMENT = "daemon/apps/slot/environment-lock.ts";
const STARTUP = "daemon/apps/startup/startup-app.ts";
const CONTROLLER = "daemon/robot-process/control/robot-controller.ts";

const bug = (file: string, name: string, row: string, text: string, replacement = ""): PlantedBug => ({
  name,
  file,
  row,
  text,
  bug: replacement,
});

export const PLANTED_BUGS: readonly PlantedBug[] = [
  bug(
    SLOT,
    "a second app starts",
    "start request . refused",
    "if (this.busy) throw new WorkbenchError",
    "if (false) throw new WorkbenchError",
  ),
  bug(
    SLOT,
    "the refusal has another message",
    "start request . refused",
    '"An app is already running")',
    '"Another app is running")',
  ),
  bug(
    SLOT,
    "an app is launched before the robot has returned",
    "restart request . the same",
    "await this.#returned;\n    run.releaseEnv",
    "run.releaseEnv",
  ),
  bug(
    SLOT,
    "the robot does not return after a failed app",
    "subprocess crashes",
    "this.#afterExit(run.next?.inPlace ?? false)",
    'outcome.state === "error" ? Promise.resolve() : this.#afterExit(run.next?.inPlace ?? false)',
  ),
  bug(
    SLOT,
    "a stop is answered before the robot has returned",
    "stop request . slot free",
    "await run.ended;\n    return",
    "await run.exited;\n    return",
  ),
  bug(
    SLOT,
    "a stop is ignored while the app starts",
    "stop request . slot free",
    'if (run.state !== "starting" && run.state !== "running") return;',
    'if (run.state !== "running") return;',
  ),
  bug(
    SLOT,
    "a stop that comes during the launch is lost",
    "stop request . slot free",
    "if (run.stopRequestedIn !== null) run.process.stop(true);",
  ),
  bug(
    SLOT,
    "an app is launched after its stop",
    "app restarting . stop",
    "if (run.stopRequestedIn !== null) {\n      run.releaseEnvironment();",
    "if (false) {\n      run.releaseEnvironment();",
  ),
  bug(SLOT, "apps start while the daemon shuts down", "stop request . slot free", "this.#closed = true;"),
  bug(
    SLOT,
    "the daemon closes before the robot has returned",
    "stop request . slot free",
    "await this.#stop();\n    await this.#returned;",
    "await this.#stop();",
  ),
  bug(
    SLOT,
    "the slot is free in the middle of a restart",
    "app restarting . start",
    "if (run.next !== null) this.#begin(run.next.run);\n    run.exit();\n    await this.#returned;",
    "await this.#returned;\n    if (run.next !== null) this.#begin(run.next.run);\n    run.exit();",
  ),
  bug(
    SLOT,
    "the robot never returns before the next app",
    "restart request . the same",
    "this.#afterExit(run.next?.inPlace ?? false)",
    "this.#afterExit(run.next !== null)",
  ),
  bug(
    SLOT,
    "any program counts as the app of the slot",
    "start request . app running",
    "if (pid !== undefined && pid !== run.process.pid) return false;",
  ),
  bug(
    RUN,
    "a stop does not cancel the restart",
    "app restarting . stop",
    "beLast(): void {\n    this.#cancelNext();",
    "beLast(): void {",
  ),
  bug(
    RUN,
    "a restart in place undoes the return that a stop has promised",
    "restarted in place . stop",
    "this.#mustReturn = true;",
  ),
  bug(RUN, "an app stays locked after its end", "stop request . slot free", "if (isFinal(state)) this.#unlock();"),
  bug(
    RUN,
    "an app that runs holds the environment",
    "start request . app running",
    'if (state !== "starting") this.releaseEnvironment();',
  ),
  bug(
    RUN,
    "a killed app counts as done",
    "ignores SIGINT",
    "if (stopRequestedIn !== null && end.forced) {",
    "if (false) {",
  ),
  bug(RUN, "a crash counts as done", "subprocess crashes", "if (end.code === 0 ||", "if (end.code !== null ||"),
  bug(
    LOCKS,
    "an app starts while it is installed",
    "start request . app running",
    "if (this.#changing.has(key)) {",
    "if (false) {",
  ),
  bug(
    LOCKS,
    "an app is installed while it runs",
    "start request . app running",
    "if (running !== undefined) {",
    "if (false) {",
  ),
  bug(
    ENVIRONMENT,
    "an app imports while packages change",
    "start request . app running",
    "if (this.#change === null) return null;",
    "if (this.#change !== undefined) return null;",
  ),
  bug(
    STARTUP,
    "the startup app does not respect who moves the robot",
    "wake-up . app running",
    "return !this.#parts.slot.busy && !this.#remoteSessionActive();",
    "return !this.#parts.slot.busy;",
  ),
  bug(
    STARTUP,
    "the startup app undoes what a user decided",
    "startup app does not replace",
    "this.#userDecided = true;",
  ),
  bug(
    STARTUP,
    "a touch wakes the robot before the app is installed",
    "robot awake, app running",
    "await this.#ensureInstalled(name);\n      if (!this.#closed && !robot",
    "if (!this.#closed && !robot",
  ),
  bug(
    "daemon/apps/stop/stop-sequence.ts",
    "an app that ignores SIGINT is never killed",
    "ignores SIGINT",
    "this.#after(this.#graceMs, () => this.#terminate());",
    "this.#cancelTimer = () => {};",
  ),
  bug(
    CONTROLLER,
    "a return that was missed is not made up for",
    "stop request . slot free",
    "onConnected: () => this.appSession.returnIfOwed()",
    "onConnected: () => {}",
  ),
  bug(
    "daemon/robot-process/control/app-session.ts",
    "a sleeping robot is moved after an app",
    "startup app does not replace",
    'if (!loop.awake && robot.motors.mode === "disabled") return undefined;',
  ),
  bug(
    CONTROLLER,
    "a robot that sleeps counts as awake",
    "sleep requested",
    "this.#loop.awake = false;\n      await this.#loop.torque.take(robot)",
    "await this.#loop.torque.take(robot)",
  ),
  bug("daemon/start/daemon.ts", "sleep leaves the app running", "sleep requested", "await apps.slot.free();"),
];
