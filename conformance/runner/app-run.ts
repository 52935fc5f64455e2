import type { Command, Ending, Phase, Run, Usage } from "../evidence/run.ts";
import type { Mark } from "./instrument.ts";

/** As many lines of a traceback as a message can show. */
const KEPT_ERRORS = 12;

/** A life of the app while it goes on: what is observed of it is put together here. */
export class AppRun implements Run {
  readonly scene: string;
  readonly startedAt: number;
  readonly grace: number;
  readonly commands: Command[] = [];
  pid: number | null = null;
  knockedAt: number | null = null;
  connectedAt: number | null = null;
  enteredAt: number | null = null;
  leftAt: number | null = null;
  raised: string | null = null;
  ending: Ending = "by-itself";
  phase: Phase | null = null;
  askedAt: number | null = null;
  endedAt: number | null = null;
  exit: Run["exit"] = null;
  leftovers: string[] = [];
  lastErrors: string[] = [];
  offDefault: number | null = null;
  held: boolean | null = null;
  usage: Usage | null = null;
  /** How often a client of it has connected. */
  connections = 0;
  lines = 0;
  isOver = false;

  /** @param grace seconds that it has to end by itself */
  constructor(scene: string, startedAt: number, grace: number) {
    this.scene = scene;
    this.startedAt = startedAt;
    this.grace = grace;
  }

  get forced(): boolean {
    return this.askedAt !== null && (this.endedAt ?? Number.POSITIVE_INFINITY) - this.askedAt >= this.grace;
  }

  ask(ending: Ending, t: number): void {
    this.phase = this.#phaseAt(t);
    this.ending = ending;
    this.askedAt = t;
  }

  line(stream: string, text: string): void {
    this.lines += 1;
    if (stream === "stderr") this.lastErrors = [...this.lastErrors, text].slice(-KEPT_ERRORS);
  }

  /** @param at turns the mark's time into seconds of the scene */
  take(marks: readonly Mark[], at: (time: number) => number): void {
    for (const { pid, what, raised, time } of marks) {
      if (pid !== this.pid) continue;
      if (what === "entered") this.enteredAt ??= at(time);
      if (what === "returned" || what === "raised") this.leftAt ??= at(time);
      this.raised ??= raised;
    }
  }

  /** A goto that is under way at a moment, as far as its duration tells. */
  gotoAt(t: number): { since: number; until: number } | null {
    const last = this.commands.at(-1);
    if (last?.kind !== "task") return null;
    const { req } = JSON.parse(last.text) as { req?: { duration?: number } };
    const until = last.t + (req?.duration ?? 0);
    return t < until ? { since: last.t, until } : null;
  }

  #phaseAt(t: number): Phase {
    if (this.gotoAt(t)) return "mid-goto";
    if (this.enteredAt !== null) return "running";
    if (this.connectedAt !== null) return "connected";
    return this.knockedAt === null ? "importing" : "connecting";
  }
}
