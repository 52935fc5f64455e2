import type { AppHost } from "../../daemon/apps/app-host.ts";
import { RUN_ID_VARIABLE } from "../../daemon/apps/start/app-command.ts";
import type { Robot } from "../../daemon/robot-client/robot.ts";
import { Invariants, LIMITS } from "../../daemon/testing/invariants.ts";
import { DEFAULT_POSE } from "../../robot/description/poses.ts";
import type { LogLine } from "../../robot/wire/apps/app-events.ts";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import type { RobotEvent } from "../../robot/wire/robot/robot-event.ts";
import { postureOf } from "../../sim/physics/model/posture.ts";
import type { VirtualDaemon } from "./virtual-daemon.ts";
import type { VirtualProcess } from "./virtual-machine.ts";
import type { World } from "./world.ts";

/** What waits at most: timers of a process, operations of the disk, bytes to a client, messages to the robot process. */
const BOUNDS = { timers: 200, operations: 200, bytes: 1_100_000, messages: 100 };

const TURN = 2 * Math.PI;
const DEFAULT_JOINTS = postureOf(DEFAULT_POSE).joints;

/** A request that is not answered yet. */
interface Pending {
  /** The app that it starts; null for any. Undefined when it starts none. */
  starts: string | null | undefined;
  slotWasBusy: boolean;
  /** Whether an app began that no other request explains. */
  beganApp: boolean;
}

/** Watches a system: writes down what happens, and checks it against the invariants. */
export class SystemObserver {
  readonly invariants = new Invariants();
  readonly #world: World;
  /** Apps that may start by themselves: those that were chosen to, at any time. */
  readonly mayStart = new Set<string>();
  readonly #pending = new Set<Pending>();
  /** Apps of which the daemon has reported that it cannot write down their processes: the next one does not know them. */
  readonly #unrecorded = new Set<string>();
  readonly #unknownPids = new Set<number>();
  #daemon: VirtualDaemon | null = null;
  #robot: Robot | null = null;
  #apps: AppHost | null = null;
  /** Since when the slot is claimed without a living app, or stopping; and since when the robot could return. */
  #stuckSince: number | null = null;
  #returningSince: number | null = null;
  /** Whether the return after the last app has arrived. */
  #hasReturned = false;

  constructor(world: World) {
    this.#world = world;
  }

  daemonStarted(daemon: VirtualDaemon, robot: Robot, apps: AppHost): void {
    [this.#daemon, this.#robot, this.#apps] = [daemon, robot, apps];
    this.#pending.clear();
    for (const { pid, name } of this.#world.machine.processes)
      if (this.#unrecorded.has(name)) this.#unknownPids.add(pid);
    this.#unrecorded.clear();
    this.invariants.daemonStarted(this.#appProcesses);
    this.#world.log("the daemon hosts apps");
    apps.slot.changes.on((status) => this.#slotChanged(status));
    apps.events.on((event) => {
      if (event.kind === "notice") this.#world.log(`notice: ${event.message}`);
      if (event.kind === "job") this.#world.log(`job ${event.job.command}: ${event.job.status}`);
      if (event.kind === "log" && event.line.from === "daemon") this.#noted(event.line);
    });
    robot.onEvent((event) => {
      this.#world.log(`robot: ${event.message}`);
      this.invariants.require(!isDefect(event), event.message);
      const isReturn = event.data.kind === "return_to_default";
      if (event.kind === "move_started" && !isReturn) this.movedByUser();
      if (event.kind === "move_ended" && isReturn) this.#hasReturned ||= event.data.outcome === "finished";
    });
  }

  /** Something newer than the last app owns the pose. */
  movedByUser(): void {
    this.#returningSince = null;
  }

  /** The robot may need its whole time to return from now on; one that has returned stays where the disturbance leaves it. */
  disturbed(): void {
    if (this.#returningSince !== null) this.#returningSince = this.#hasReturned ? null : this.#world.clock.now();
  }

  requestSent(method: string, path: string, query: Record<string, string>) {
    const what = `${method} ${path}${query.replace ? " replace" : ""}`;
    this.#world.log(what);
    const [, app] = /start-app\/([^/]+)/.exec(path) ?? [];
    const starts = path.includes("restart-current-app") ? null : app;
    const pending: Pending = { starts, slotWasBusy: this.#apps?.slot.busy ?? false, beganApp: false };
    this.#pending.add(pending);
    return {
      accepted: () => {
        this.#pending.delete(pending);
        this.#world.log(`${what}: ok`);
      },
      refused: (refusal: { code: string; message: string }, allowed: readonly string[]) => {
        this.#pending.delete(pending);
        this.#world.log(`${what}: ${refusal.code}`);
        this.invariants.refused(what, refusal, allowed, pending);
        this.invariants.slotReported(this.#apps?.slot.status() ?? null);
      },
    };
  }

  /** Looks at what does not report itself. To be called some times a second. */
  check(): void {
    const { clock, disk, mostWaiting } = this.#world;
    const daemon = this.#daemon;
    if (daemon === null || daemon.clock.isDead) return;
    this.invariants.bounded("timers in the daemon", daemon.clock.timers, BOUNDS.timers);
    this.invariants.bounded("timers in the robot process", daemon.robotChild?.clock.timers ?? 0, BOUNDS.timers);
    this.invariants.bounded("operations of the disk", disk.pending, BOUNDS.operations);
    this.invariants.bounded("bytes to a client", mostWaiting.bytes, BOUNDS.bytes);
    this.invariants.bounded("messages to the robot process", mostWaiting.messages, BOUNDS.messages);
    const slot = this.#apps?.slot;
    this.invariants.slotReported(slot?.status() ?? null);
    const isStuck = slot?.busy && (this.#appProcesses === 0 || slot.status()?.state === "stopping");
    this.#stuckSince = isStuck ? (this.#stuckSince ?? clock.now()) : null;
    if (this.#stuckSince !== null) this.invariants.slotStuck(clock.now() - this.#stuckSince);
    this.#checkPose();
  }

  /** Whether a daemon serves, no slot is stuck, and no robot has still to return. */
  get hasSettled(): boolean {
    return this.#daemon?.http != null && this.#stuckSince === null && this.#returningSince === null;
  }

  /** Largest difference of a joint from the default pose, radians. */
  poseError(): number {
    const { robot } = this.#world.cable;
    this.#world.cable.advance();
    // An antenna without torque may have been turned around.
    const errors = robot.physics.actuators.map((joint, at) => {
      const error = (joint.position() - (DEFAULT_JOINTS[at] ?? 0)) / TURN;
      return TURN * Math.abs(error - Math.round(error));
    });
    return Math.max(...errors);
  }

  #checkPose(): void {
    const state = this.#robot?.state;
    if (state === undefined || this.#returningSince === null) return;
    if (state.phase !== "running") this.disturbed();
    if (!state.awake) this.movedByUser();
    if (this.#returningSince === null) return;
    if (this.#world.clock.now() - this.#returningSince < LIMITS.returnsMs) return;
    this.invariants.poseAfterApp(this.poseError());
    this.movedByUser();
  }

  #slotChanged(status: AppStatus): void {
    const { info, state } = status;
    this.#world.log(`${info.name} is ${state}`);
    this.invariants.slotChanged(status, this.#appProcesses);
    for (const pending of this.#pending) pending.slotWasBusy = true;
    this.#returningSince = state === "done" || state === "error" ? this.#world.clock.now() : null;
    this.#hasReturned = false;
    if (state !== "starting") return;
    const explaining = [...this.#pending].filter(({ starts }) => starts === null || starts === info.name);
    const [only] = explaining;
    const isByItself = this.mayStart.has(info.name);
    if (only !== undefined && explaining.length === 1 && !isByItself) only.beganApp = true;
    this.invariants.require(only !== undefined || isByItself, `${info.name} starts, and nobody asked for it`);
  }

  #noted({ app, text }: LogLine): void {
    this.#world.log(`${app}: ${text}`);
    if (text.startsWith("cannot write down which process runs")) this.#unrecorded.add(app);
  }

  /** Names of the processes that the daemons know of. */
  get knownProcesses(): string[] {
    return this.#world.machine.processes.filter(({ pid }) => !this.#unknownPids.has(pid)).map(({ name }) => name);
  }

  get #appProcesses(): number {
    const ofApps = ({ pid, environment }: VirtualProcess) =>
      RUN_ID_VARIABLE in environment && !this.#unknownPids.has(pid);
    return this.#world.machine.processes.filter(ofApps).length;
  }
}

/** Whether an event says that the program itself failed. */
const isDefect = ({ message }: RobotEvent): boolean => message.startsWith("The control loop failed");
