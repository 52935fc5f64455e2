import fc from "fast-check";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Slot, SlotParts } from "../slot/slot.ts";
import { ScriptedWorld } from "./scripted-world.ts";

type Step =
  | { do: "start" | "replace"; app: "good" | "unknown" | "broken" }
  | { do: "restart"; inPlace: boolean }
  | { do: "stop" }
  | { do: "attach" }
  | { do: "close" }
  | { do: "end"; code: number };

const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const app = fc.oneof(
  { weight: 5, arbitrary: fc.constant("good" as const) },
  { weight: 1, arbitrary: fc.constantFrom("unknown" as const, "broken" as const) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(5, fc.record({ do: fc.constantFrom("start" as const, "replace" as const), app })),
  weighted(3, fc.record({ do: fc.constant("restart" as const), inPlace: fc.boolean() })),
  weighted(2, fc.constant<Step>({ do: "stop" })),
  weighted(2, fc.constant<Step>({ do: "attach" })),
  weighted(1, fc.constant<Step>({ do: "close" })),
  weighted(3, fc.record({ do: fc.constant("end" as const), code: fc.constantFrom(0, 1) })),
);

const REPLACE: readonly ErrorCode[] = ["app-not-found", "app-start-failed", "start-cancelled", "shutting-down"];
const ALLOWED: Record<string, readonly ErrorCode[]> = {
  start: [...REPLACE, "app-already-running"],
  replace: REPLACE,
  restart: [...REPLACE, "no-app-running", "app-already-running"],
  stop: ["no-app-running"],
  close: [],
};

interface Request {
  kind: "start" | "replace" | "restart";
  /** Place among all requests. */
  at: number;
  isSettled: boolean;
}

/** Runs steps against one slot in an order that the scheduler picks, and checks what it promises. */
class SlotWalk {
  readonly world: ScriptedWorld;
  readonly slot: Slot;
  readonly #requests: Request[] = [];
  /** The requests for a start, by the name of their app: each has one of its own. */
  readonly #starts = new Map<string, Request>();
  #count = 0;
  #lastStop = 0;
  #unsettled = 0;
  #isClosed = false;
  /** Whether a stop or a close is being called: an app that is stopped meanwhile is stopped by it. */
  #isStopping = false;
  /** Whether a restart or a replacement has taken the slot over, and no stop came since. */
  #isClaimed = false;
  readonly #seen = new Set<string>();

  constructor(makeSlot: (parts: SlotParts) => Slot, s: fc.Scheduler) {
    this.world = new ScriptedWorld(s);
    this.slot = makeSlot(this.world.parts);
    this.slot.changes.on((status) => this.#onChange(status));
  }

  perform(next: Step): void {
    if (next.do === "end") this.world.endOne(next.code);
    else if (next.do === "attach") this.slot.attach(this.world.launches);
    else if (next.do === "stop") this.#stop();
    else if (next.do === "close") this.#close();
    else if (next.do === "restart") this.#restart(next.inPlace);
    else {
      const name = `${next.app}${this.#count}`;
      const request = this.#request(next.do);
      this.#starts.set(name, request);
      void this.#call(next.do, () => this.slot.start(name, { replace: next.do === "replace" }), request);
    }
  }

  finish(): void {
    const { world, slot } = this;
    world.check();
    if (this.#unsettled > 0) world.broken.push(`${this.#unsettled} requests were never answered`);
    if (slot.busy !== world.alive.size > 0) world.broken.push(`slot busy: ${slot.busy}, alive: ${world.alive.size}`);
    if (world.broken.length > 0) throw new Error(`broken: ${world.broken.join("; ")}`);
  }

  #request(kind: Request["kind"]): Request {
    this.#count += 1;
    const request = { kind, at: this.#count, isSettled: false };
    this.#requests.push(request);
    return request;
  }

  #restart(inPlace: boolean): void {
    const status = this.slot.status();
    if (inPlace && status !== null) this.world.inPlace.add(status.info.name);
    void this.#call("restart", () => this.slot.restart({ inPlace }), this.#request("restart"));
  }

  #stop(): void {
    const { world, slot } = this;
    const held = [...world.alive.keys()];
    const { busy } = slot;
    if (busy) this.#lastStop = ++this.#count;
    this.#isClaimed = false;
    this.#isStopping = true;
    void this.#call("stop", async () => {
      const { state } = await slot.stop();
      if (state !== "done" && state !== "error") world.broken.push(`${state} after a stop`);
      if (held.some((process) => world.alive.has(process))) world.broken.push("an app is alive after a stop");
      if (world.alive.size === 0 && world.isReturnOwed) world.broken.push("a stop was answered before the return");
    });
    this.#isStopping = false;
    if (busy && slot.busy && slot.status()?.state !== "stopping") world.broken.push("a stop was ignored");
  }

  #close(): void {
    this.#isClaimed = false;
    this.#isStopping = true;
    void this.#call("close", async () => {
      await this.slot.close();
      this.#isClosed = true;
      if (this.world.alive.size > 0) this.world.broken.push("an app is alive after close");
      if (this.world.isReturnOwed) this.world.broken.push("closed before the return");
    });
    this.#isStopping = false;
  }

  async #call(kind: string, what: () => Promise<unknown>, request?: Request): Promise<void> {
    const { broken, alive } = this.world;
    this.#unsettled += 1;
    try {
      await what();
      if (request !== undefined && alive.size !== 1) broken.push(`${kind} was answered, and no app runs`);
      if (request !== undefined && this.#isClosed) broken.push(`${kind} was accepted after close`);
    } catch (error) {
      const { code, message } = error as WorkbenchError;
      if (!ALLOWED[kind]?.includes(code)) broken.push(`${kind}: ${error}`);
      if (code === "app-already-running" && message !== "An app is already running")
        broken.push(`refused with "${message}"`);
    } finally {
      this.#unsettled -= 1;
      if (request !== undefined) request.isSettled = true;
    }
  }

  #onChange(status: AppStatus): void {
    const { world } = this;
    const { state, info } = status;
    world.onChange(status);
    if (state === "stopping") this.#isClaimed = !this.#isStopping;
    if (state !== "starting") return;
    const request = this.#starts.get(info.name);
    const isRestart = this.#seen.has(info.name);
    if (!isRestart && request?.kind === "start" && this.#isClaimed) world.broken.push("a start got in between");
    if (!isRestart && request?.kind === "replace" && request.at < this.#lastStop)
      world.broken.push("an app was started after the stop that cancels it");
    const restarts = this.#requests.filter(({ kind, isSettled }) => kind === "restart" && !isSettled);
    if (isRestart && !restarts.some(({ at }) => at > this.#lastStop))
      world.broken.push("an app was restarted after the stop that cancels it");
    this.#isClaimed = false;
    this.#seen.add(info.name);
  }
}

/** Random walks of a slot, as a property. */
export const anySlotWalk = (makeSlot: (parts: SlotParts) => Slot) =>
  fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), fc.scheduler(), async (steps, s) => {
    const walk = new SlotWalk(makeSlot, s);
    for (const next of steps) void s.schedule(Promise.resolve(), JSON.stringify(next)).then(() => walk.perform(next));
    await s.waitIdle();
    walk.finish();
  });
