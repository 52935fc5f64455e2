import { z } from "zod";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import {
  type AppPhase,
  type AppRun,
  type ClippedMove,
  type Command,
  type Delay,
  type EndCause,
  isGoto,
  isMotion,
  type Usage,
} from "../../evidence/app-run.ts";
import type { Trespass } from "../../evidence/trespass.ts";
import { INJECTED_ERROR, type TraceMarker } from "../app/trace-instrument.ts";
import type { ProcessorUse } from "./processor-share.ts";
import {
  type ProcessorWait,
  StarvationWindow,
  type WaitSample,
  waitedForOthers,
  waitsForOwnThreads,
} from "./starvation-window.ts";

/** Seconds from the connection after which an app without any sign of run() counts as running. */
const SETTLED_S = 1;

/** What each of Python's tracebacks begins with, also those of logging and of groups of exceptions. */
const TRACEBACK = "Traceback (most recent call last)";

/** Lines of standard error that are kept for messages. */
const STDERR_TAIL_LINES = 40;

/** A step that an app takes after its start. */
export type Milestone = "process" | "interpreter" | "connect-attempt" | "connected" | "running";

/** A run of the app's process in progress, filled in as it is observed. */
export class LiveAppRun implements AppRun {
  readonly testRun: string;
  readonly startedAt: number;
  readonly gracePeriod: number;
  readonly commands: Command[] = [];
  readonly clippedMoves: ClippedMove[] = [];
  readonly harnessDelays: Delay[] = [];
  readonly processorDelays: Delay[] = [];
  readonly connectionEnds: Record<number, number> = {};
  readonly sounds: string[] = [];
  readonly trespasses: Trespass[] = [];
  /** The class of the error that is raised in it. */
  injectedError = INJECTED_ERROR;
  /** Texts that it must not print. */
  tokens: readonly string[] = [];
  pid: number | null = null;
  /** When the interpreter started, as the trace instrument saw it. */
  interpreterAt: number | null = null;
  connectAttemptAt: number | null = null;
  connectedAt: number | null = null;
  disconnectedAt: number | null = null;
  runEnteredAt: number | null = null;
  runLeftAt: number | null = null;
  runRaised: string | null = null;
  endCause: EndCause = "by-itself";
  phase: AppPhase | null = null;
  endRequestedAt: number | null = null;
  exitedAt: number | null = null;
  exit: AppRun["exit"] = null;
  stoppedAfterError = false;
  stopMethod: AppRun["stopMethod"] = null;
  errorInjected = false;
  errorReported = false;
  leftoverProcesses: string[] = [];
  stderrTail: string[] = [];
  defaultPoseError: number | null = null;
  motorsOn: boolean | null = null;
  usage: Usage | null = null;
  bytesWritten: number | null = null;
  /** Number of SDK connections so far. */
  connections = 0;
  /** Numbers of those that are open. */
  readonly openConnections = new Set<number>();
  #lastWait: WaitSample | null = null;
  readonly #startStarvation = new StarvationWindow();
  readonly #starvation = new StarvationWindow();
  #hasTraceback = false;
  /** Number of lines printed so far. */
  lines = 0;
  hasEnded = false;
  /** Whether the daemon started it, and so returns the robot to its default pose. */
  isHosted = true;
  /** Whether the daemon ended it by force, as its report of the exit says; null before that, and when it did not start it. */
  forced: boolean | null = null;
  /** How often the trace instrument did not raise the error, because the app was starting a process. */
  errorsPostponed = 0;
  /** How long its main thread waited for a processor until it connected or was asked to end; null when it is not known. */
  startWait: ProcessorWait | null = null;
  /** The most milliseconds of two seconds that the machine starved it for meanwhile; null when it did not. */
  starvedAtStart: number | null = null;
  /** What its threads had used and waited for when it was asked to end; null before. */
  useAtEndRequest: ProcessorUse | null = null;

  /**
   * @param startedAt seconds from the start of the test run
   * @param gracePeriod seconds that the app has to end by itself once it was asked to
   */
  constructor(testRun: string, startedAt: number, gracePeriod: number) {
    this.testRun = testRun;
    this.startedAt = startedAt;
    this.gracePeriod = gracePeriod;
  }

  /**
   * Notes how long the main thread has waited for a processor. While the app starts it is starved by nothing: the time limits of a
   * start leave out what it waited.
   * @param t seconds from the start of the test run
   * @returns milliseconds of the last two seconds that it has waited, when the machine starves it; otherwise null
   */
  noteWait(sample: WaitSample, t: number): number | null {
    if (this.#lastWait !== null && waitedForOthers(this.#lastWait, sample))
      this.processorDelays.push({ t, seconds: (sample.at - this.#lastWait.at) / 1000 });
    this.#lastWait = sample;
    if (this.endRequestedAt !== null || this.connectedAt !== null) return this.#starvation.add(sample);
    this.startWait = sample;
    const starved = this.#startStarvation.add(sample);
    if (starved !== null) this.starvedAtStart = Math.max(starved, this.starvedAtStart ?? 0);
    return null;
  }

  get startWaited(): number {
    const { startWait } = this;
    return startWait === null || waitsForOwnThreads(startWait) ? 0 : startWait.waited / 1000;
  }

  /** Seconds from its start to its connection, without what it waited for a processor; null before it connects. */
  get startupSeconds(): number | null {
    return this.connectedAt === null ? null : this.connectedAt - this.startedAt - this.startWaited;
  }

  get forceStopped(): boolean {
    if (this.endRequestedAt === null) return false;
    // The daemon counts the grace period from the signal, which comes later than the request.
    if (this.forced !== null) return this.forced;
    return (this.exitedAt ?? Number.POSITIVE_INFINITY) - this.endRequestedAt >= this.gracePeriod;
  }

  /** Whether it has taken a step. @param now seconds from the start of the test run */
  hasReached(milestone: Milestone, now: number): boolean {
    switch (milestone) {
      case "process":
        return this.pid !== null;
      case "interpreter":
        // The trace instrument says so first; without it, the connection attempt does.
        return this.interpreterAt !== null || this.connectAttemptAt !== null;
      case "connect-attempt":
        return this.connectAttemptAt !== null;
      case "connected":
        return this.connectedAt !== null;
      case "running":
        return this.isRunningAt(now);
    }
  }

  /**
   * Records that the app is asked to end.
   * @param use what its threads have used and waited for; null where that is not known
   */
  requestEnd(cause: EndCause, t: number, use: ProcessorUse | null): void {
    this.phase = this.#phaseAt(t);
    this.endCause = cause;
    this.endRequestedAt = t;
    this.useAtEndRequest = use;
  }

  addLine(stream: string, text: string): void {
    this.lines += 1;
    if (this.tokens.some((token) => text.includes(token))) this.addTrespass("token", "printed the access token");
    if (stream !== "stderr") return;
    this.stderrTail = [...this.stderrTail, text].slice(-STDERR_TAIL_LINES);
    this.#hasTraceback ||= text.includes(TRACEBACK);
    this.errorReported ||= this.#hasTraceback && text.includes(this.injectedError);
  }

  addTrespass(kind: Trespass["kind"], what: string): void {
    if (!this.trespasses.some((known) => known.kind === kind && known.what === what))
      this.trespasses.push({ kind, what });
  }

  /**
   * @param markers those of the app's main process
   * @param secondsAt converts a marker's time to seconds from the start of the test run
   */
  addTraceMarkers(markers: readonly TraceMarker[], secondsAt: (time: number) => number): void {
    this.errorsPostponed = markers.filter(({ what }) => what === "postponed").length;
    for (const { what, raised, time } of markers) {
      if (what === "importing") this.interpreterAt ??= secondsAt(time);
      if (what === "entered") this.runEnteredAt ??= secondsAt(time);
      if (what === "returned" || what === "raised") this.runLeftAt ??= secondsAt(time);
      if (what === "injected") this.errorInjected = true;
      this.runRaised ??= raised;
    }
  }

  /** The goto that runs at a moment, judged by the duration it was sent with; null when none does. */
  runningGotoAt(t: number): { since: number; until: number } | null {
    const last = this.commands.findLast(isMotion);
    if (last === undefined || !isGoto(last)) return null;
    const until = last.t + gotoDuration(last.text);
    return t < until ? { since: last.t, until } : null;
  }

  /** Whether `run()` has begun: it sent a command, it has been connected for a while, or the trace instrument saw it. */
  isRunningAt(t: number): boolean {
    const settled = this.connectedAt !== null && t - this.connectedAt >= SETTLED_S;
    return this.runEnteredAt !== null || settled || (this.connectedAt !== null && this.commands.some(isMotion));
  }

  /** A plain copy, as it goes from one process to another. */
  toJSON(): AppRun {
    const { connections: _c, lines: _l, hasEnded: _h, isHosted: _d, interpreterAt: _i, tokens: _t, ...rest } = this;
    const { injectedError: _n, ...others } = rest;
    const {
      forced: _f,
      startWait: _s,
      starvedAtStart: _a,
      useAtEndRequest: _u,
      errorsPostponed: _e,
      ...fields
    } = others;
    return { ...fields, startWaited: this.startWaited, forceStopped: this.forceStopped };
  }

  #phaseAt(t: number): AppPhase {
    if (this.runningGotoAt(t)) return "mid-goto";
    if (this.isRunningAt(t)) return "running";
    if (this.connectedAt !== null) return "connected";
    return this.connectAttemptAt === null ? "importing" : "connecting";
  }
}

const Goto = z.object({
  duration: z.number().optional(),
  req: z.object({ duration: z.number().optional() }).optional(),
});

/** Seconds of a goto, of the SDK socket or of REST; a REST goto without a duration takes one second. */
function gotoDuration(text: string): number {
  const { data } = Goto.safeParse(jsonOrNull(text));
  return data === undefined ? 0 : (data.req?.duration ?? data.duration ?? 1);
}
