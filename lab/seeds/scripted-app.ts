import { PassThrough } from "node:stream";
import type { Command } from "../../daemon/apps/start/app-command.ts";
import type { MainProcess } from "../../daemon/apps/start/spawn-main-process.ts";
import { APPS, type AppScript } from "./app-scripts.ts";
import { between, type ProcessClock, type Range } from "./clocks.ts";
import type { LoopbackConnection, SdkClient } from "./sdk-client.ts";
import type { VirtualMachine, VirtualProcess } from "./virtual-machine.ts";

interface AppParts {
  machine: VirtualMachine;
  clock: ProcessClock;
  random: () => number;
  /** Opens the SDK socket; null while no daemon listens. */
  connect(client: SdkClient): LoopbackConnection | null;
}

/** A process that runs a script in place of Python, and speaks to the daemon as an app does. */
export class ScriptedApp implements VirtualProcess {
  readonly pid: number;
  readonly group: number;
  readonly parent: number;
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly main: MainProcess;
  readonly #parts: AppParts;
  readonly #script: AppScript;
  readonly #stdout = new PassThrough();
  readonly #stderr = new PassThrough();
  #connection: LoopbackConnection | null = null;
  #exit: (end: { code: number | null; signal: NodeJS.Signals | null }) => void = () => {};

  constructor({ args, env }: Command, parent: number, parts: AppParts) {
    this.#parts = parts;
    this.name = String(args.at(-1)).split(".")[0] ?? "";
    this.#script = APPS[this.name] ?? {};
    this.pid = parts.machine.newPid();
    this.group = this.pid;
    this.parent = parent;
    this.environment = env;
    const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
      this.#exit = resolve;
    });
    this.main = { pid: this.pid, stdout: this.#stdout, stderr: this.#stderr, exited };
    parts.machine.add(this);
    this.#begin();
  }

  onSignal(signal: NodeJS.Signals): void {
    const { onInterrupt = [10, 300], ignoresTerm = false } = this.#script;
    if (signal === "SIGTERM" && ignoresTerm) return;
    if (signal !== "SIGINT") this.#end(null, signal);
    else if (onInterrupt !== null) {
      this.#stdout.write("stopping\n");
      this.#after(onInterrupt, () => this.#end(0, null));
    }
  }

  #begin(): void {
    const { connects = [100, 800], lives, leaves, code = 0 } = this.#script;
    this.#after([5, 50], () => this.#stdout.write("starting\n"));
    if (leaves !== undefined) this.#after([50, 400], () => this.#leaveProcess(leaves));
    if (connects !== null) this.#after(connects, () => this.#connect());
    if (lives === undefined) return;
    this.#after(lives, () => {
      if (code !== 0) this.#stderr.write("Traceback (most recent call last):\nValueError: as written\n");
      this.#end(code, null);
    });
  }

  #connect(): void {
    this.#connection = this.#parts.connect({
      pid: this.pid,
      reads: this.#script.reads ?? true,
      onClose: () => this.#end(1, null),
    });
    if (this.#connection === null) {
      this.#end(1, null);
      return;
    }
    this.#stdout.write("running\n");
    this.#act(0);
  }

  #act(count: number): void {
    const { every = [20, 60], act } = this.#script;
    if (act === undefined) return;
    for (const message of act(count, this.#parts.random)) this.#connection?.send(JSON.stringify(message));
    this.#after(every, () => this.#act(count + 1));
  }

  /** A process in the app's group, or outside of it, that ends only by a signal. */
  #leaveProcess(where: "in its group" | "elsewhere"): void {
    const { machine } = this.#parts;
    const pid = machine.newPid();
    const group = where === "elsewhere" ? pid : this.group;
    const onSignal = (signal: NodeJS.Signals) => void (signal === "SIGKILL" && machine.remove(pid));
    machine.add({ pid, group, parent: this.pid, name: this.name, environment: this.environment, onSignal });
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    const { machine, clock } = this.#parts;
    if (!machine.isAlive(this.pid)) return;
    machine.remove(this.pid);
    clock.end();
    this.#connection?.close();
    this.#stdout.end();
    this.#stderr.end();
    this.#exit({ code, signal });
  }

  #after(range: Range, callback: () => void): void {
    this.#parts.clock.after(between(this.#parts.random, range), callback);
  }
}
