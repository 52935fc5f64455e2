import { EventEmitter } from "node:events";
import type { PreviousState } from "../../daemon/robot-client/process/robot-process.ts";
import { runRobotProcess } from "../../daemon/robot-process/run-robot-process.ts";
import { ParentPort } from "../../daemon/robot-process/serve-robot.ts";
import { between, ProcessClock } from "./clocks.ts";
import type { VirtualProcess } from "./virtual-machine.ts";
import type { World } from "./world.ts";

/** Milliseconds until the program runs, and that a message is on its way. */
const START_MS = [100, 600] as const;
const MESSAGE_MS = [0.05, 1] as const;

/** The robot process of a simulated daemon: the program's own code on a clock that ends with it. */
export class VirtualRobotProcess extends EventEmitter implements VirtualProcess {
  readonly pid: number;
  readonly group: number;
  readonly parent: number;
  readonly name = "robot process";
  readonly environment = {};
  readonly clock: ProcessClock;
  connected = true;
  readonly #world: World;
  /** The process that forked it. */
  readonly #main: { pid: number; clock: ProcessClock };
  /** What the process's own `process` emits. */
  readonly #inside = new EventEmitter();
  /** What arrived before the program ran, as Node keeps it until somebody listens; null since then. */
  #early: object[] | null = [];
  readonly #lastArrival = { in: 0, out: 0 };
  #inFlight = 0;

  constructor(world: World, main: { pid: number; clock: ProcessClock }, previous: PreviousState) {
    super();
    this.#world = world;
    this.#main = main;
    this.pid = world.machine.newPid();
    this.group = this.pid;
    this.parent = main.pid;
    this.clock = new ProcessClock(world.clock);
    world.machine.add(this);
    this.clock.after(between(this.#world.random, START_MS), () => this.#run(previous));
  }

  /** As the program `programs/robot-process/main.ts`, with a cable instead of a port. */
  #run(previous: PreviousState): void {
    const { machine, cable } = this.#world;
    const child = this;
    const forked = {
      get connected() {
        return child.connected;
      },
      send: (message: object, _handle: unknown, _options: unknown, onSent: () => void) =>
        this.#toParent(message, onSent),
      on: this.#inside.on.bind(this.#inside),
    };
    runRobotProcess({
      open: () => cable.open(this.clock),
      port: new ParentPort(forked as unknown as ConstructorParameters<typeof ParentPort>[0]),
      clock: this.clock,
      machine: machine.seenBy(this.pid, this.clock, () => Promise.reject(new Error("It starts no processes."))),
      previous,
      disconnect: () => this.#end(0, null),
      exit: () => this.#end(0, null),
    });
    const early = this.#early ?? [];
    this.#early = null;
    for (const message of early) this.#inside.emit("message", message);
  }

  send(message: object): boolean {
    const { clock, mostWaiting } = this.#world;
    const copy = structuredClone(message);
    this.#lastArrival.in = Math.max(this.#lastArrival.in, clock.now() + between(this.#world.random, MESSAGE_MS));
    this.#inFlight += 1;
    mostWaiting.messages = Math.max(mostWaiting.messages, this.#inFlight);
    this.clock.at(this.#lastArrival.in, () => {
      this.#inFlight -= 1;
      if (this.#early === null) this.#inside.emit("message", copy);
      else this.#early.push(copy);
    });
    return true;
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): boolean {
    this.onSignal(signal);
    return true;
  }

  /** It leaves the signals of a terminal to the main process. */
  onSignal(signal: NodeJS.Signals): void {
    if (signal === "SIGKILL") this.#end(null, signal);
  }

  /** The main process has ended. */
  parentEnded(): void {
    this.connected = false;
    this.clock.after(between(this.#world.random, MESSAGE_MS), () => this.#inside.emit("disconnect"));
  }

  #toParent(message: object, onSent: () => void): void {
    const { clock } = this.#world;
    const copy = structuredClone(message);
    this.#lastArrival.out = Math.max(this.#lastArrival.out, clock.now() + between(this.#world.random, MESSAGE_MS));
    // What has left the process arrives, also when that has ended.
    this.#main.clock.at(this.#lastArrival.out, () => this.emit("message", copy));
    this.clock.at(this.#lastArrival.out, () => onSent?.());
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    const { machine } = this.#world;
    if (!machine.isAlive(this.pid)) return;
    machine.remove(this.pid);
    this.clock.end();
    const { clock } = this.#main;
    clock.after(between(this.#world.random, MESSAGE_MS), () => this.emit("exit", code, signal));
    clock.at(Math.max(this.#lastArrival.out, clock.now() + between(this.#world.random, MESSAGE_MS)), () => {
      this.connected = false;
      this.emit("disconnect");
    });
  }
}
