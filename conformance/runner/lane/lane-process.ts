import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import { killProcessTree } from "../../../common/machine/process-tree.ts";
import type { Host } from "../host.ts";
import type { FromLane, LaneResult, LaneSetup, LaneTask, SharedRig, ToLane } from "./messages.ts";
import { inNamespaces, type NamespaceOptions } from "./namespaces.ts";

const PROGRAM = join(PACKAGE_FOLDER, "dist/programs/certification-lane/main.js");
/** Milliseconds in which a lane ends everything that it has started. */
const END_MS = 5000;

/** A lane in a process of its own: a subreaper, with a network of its own if that is possible. */
export class LaneProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #output = "";
  #onMessage: (message: FromLane) => void = () => {};
  #onPrepared: () => void = () => {};

  constructor(namespaces: NamespaceOptions, host: Host) {
    const [file = "", ...args] = inNamespaces(namespaces, [process.execPath, PROGRAM]);
    this.#child = spawn(file, args, { env: host.env, stdio: ["ignore", "pipe", "pipe", "ipc"], detached: true });
    this.#exit = once(this.#child, "exit").catch(() => null);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + chunk).slice(-4000);
      });
    this.#child.on("message", (message: FromLane) => {
      if (message.type === "prepared") this.#onPrepared();
      this.#onMessage(message);
    });
    this.#child.on("error", () => {});
  }

  /** Opens a shared rig of the lane ahead of the first test run; resolves when it is open, could not be, or the lane ends. */
  async prepare(setup: LaneSetup, rig: SharedRig): Promise<void> {
    const prepared = new Promise<void>((resolve) => {
      this.#onPrepared = resolve;
    });
    this.#send({ type: "prepare", rig, ...setup });
    await Promise.race([prepared, this.#exit]);
  }

  /**
   * Executes a test run.
   * @param onConnected is called once the app has connected, with the seconds since its start
   * @returns a result with a harness failure when the lane ends meanwhile
   */
  async execute(task: LaneTask, onConnected: (startupSeconds: number) => void): Promise<LaneResult> {
    const result = new Promise<LaneResult>((resolve) => {
      this.#onMessage = (message) => {
        if (message.type === "connected" && message.id === task.id) onConnected(message.startupSeconds);
        if (message.type === "result" && message.result.id === task.id) resolve(message.result);
      };
    });
    this.#send({ type: "execute", task });
    const ended = this.#exit.then((): LaneResult => {
      const harnessFailure = `the process of the test runs ended: ${this.#output.trim()}`;
      return { id: task.id, testRun: null, appRuns: [], facts: {}, harnessFailure };
    });
    return Promise.race([result, ended]);
  }

  /** Tells a test run that waits for it that the others are about to end. */
  othersEnd(): void {
    this.#send({ type: "others-end" });
  }

  /** Ends the lane and everything that it has started. */
  async close(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (this.#child.connected) this.#child.disconnect();
    // A lane that is killed cannot end what it has started.
    const timer = setTimeout(() => killProcessTree(pid), END_MS);
    await this.#exit;
    clearTimeout(timer);
  }

  #send(message: ToLane): void {
    if (!this.#child.connected) return;
    this.#child.send(message, (error) => {
      if (error !== null) this.#output += `\n${error.message}`;
    });
  }
}
