import { sleep } from "../../common/time/clock.ts";
import { SLEEP_POSE } from "../../robot/description/poses.ts";
import { postureOf } from "../../sim/physics/model/posture.ts";
import { createPhysics } from "../../sim/physics/world.ts";
import { IdealJoints } from "../../sim/testing/ideal-joints.ts";
import { SystemObserver } from "./system-observer.ts";
import { VirtualDaemon } from "./virtual-daemon.ts";
import { World } from "./world.ts";

/** Milliseconds between two looks of the observer. */
const CHECK_MS = 250;
/** Milliseconds until a daemon that did not start is started again. */
const RESTART_MS = 1000;

/** A setting that was changed: its last value that was answered with success. */
interface KeptSetting {
  value: unknown;
  /** Changes that are not answered yet. */
  changing: number;
  /** Whether one of the changes under way came while another was. */
  overlap: boolean;
  /** Whether nothing else can have changed it since. */
  isCertain: boolean;
}

/** A whole system on one clock, decided by one seed: its surroundings, and the daemon with its processes. */
export class System {
  readonly world: World;
  readonly observer: SystemObserver;
  daemon: VirtualDaemon;
  readonly settings = new Map<string, KeptSetting>();
  readonly #fetch = globalThis.fetch;

  private constructor(world: World) {
    this.world = world;
    this.observer = new SystemObserver(world);
    globalThis.fetch = () => this.#refuseConnection();
    this.daemon = this.startDaemon();
    this.#checkAgain();
  }

  /** @param hasPhysics whether the robot moves in the physics engine instead of having ideal joints */
  static async create(seed: number, hasPhysics: boolean): Promise<System> {
    const mechanism = hasPhysics ? await createPhysics({ posture: postureOf(SLEEP_POSE), seed }) : new IdealJoints();
    return new System(new World(seed, mechanism));
  }

  startDaemon(): VirtualDaemon {
    const { world, observer } = this;
    const daemon = new VirtualDaemon(world, (robot, apps) => observer.daemonStarted(daemon, robot, apps));
    daemon.start().catch((error) => {
      world.log(`the daemon does not start: ${error.message}`);
      daemon.onSignal("SIGKILL");
      this.startDaemonLater(RESTART_MS);
    });
    return daemon;
  }

  /** As the service manager does when a daemon has ended. */
  startDaemonLater(ms: number): void {
    this.world.clock.after(ms, () => {
      this.daemon = this.startDaemon();
    });
  }

  /** Gives this process back what the system has replaced. */
  close(): void {
    this.daemon.clock.end();
    this.daemon.robotChild?.clock.end();
    globalThis.fetch = this.#fetch;
    this.world.close();
  }

  /** There is no network. */
  async #refuseConnection(): Promise<Response> {
    await sleep(this.daemon.clock, 50 * this.world.random());
    throw new TypeError("fetch failed");
  }

  #checkAgain(): void {
    const { clock } = this.world;
    clock.at(clock.now() + CHECK_MS, () => {
      this.observer.check();
      this.#checkAgain();
    });
  }
}
