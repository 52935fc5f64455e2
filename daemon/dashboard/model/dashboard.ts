import { computed, type Signal, signal } from "@preact/signals";
import type { AppInfo, AppStatus } from "../../../robot/wire/apps.ts";
import type { Job } from "../../../robot/wire/jobs.ts";
import type { Pull, Push, SceneObject } from "../../../robot/wire/scene.ts";
import type { LogLine } from "../../apps/app-events.ts";
import type { RobotEvent, RobotState } from "../../control/robot.ts";
import { type Client, RequestError } from "../link/client.ts";
import type { LinkStatus } from "../link/live-link.ts";
import { CommunityModel } from "./community.ts";
import { DaemonClock } from "./daemon-clock.ts";
import { LogModel } from "./logs.ts";
import { RobotModel } from "./robot.ts";
import { SlotModel } from "./slot.ts";
import { Toasts } from "./toasts.ts";
import { WorldModel } from "./world.ts";

/** What every event of `GET /api/events` carries. */
interface Events {
  slot: AppStatus;
  log: LogLine;
  job: Job;
  robot: RobotEvent;
  "startup-app": { startup_app: string | null };
  notice: { level: "info" | "warning" | "error"; message: string };
}

/** What is asked before something that cannot be taken back. */
export interface Question {
  text: string;
  detail?: string;
  /** The word on the button that does it. */
  action: string;
  run(): unknown;
}

/** The mouse pointer's name among those who push the simulated robot. */
const HAND = "pointer";
/** Seconds that a pull lasts when no next one follows. */
const GRIP = 0.25;

/** Events that a lively app causes again and again; they belong beside its output. */
const OFTEN: ReadonlySet<RobotEvent["kind"]> = new Set(["target_clipped", "target_refused"]);

export interface DashboardParts {
  client: Client;
  now(): number;
  flushSoon(flush: () => void): void;
}

/** All that the page knows and can ask for. Requests that fail end as toasts. */
export class Dashboard {
  readonly robot: RobotModel;
  readonly slot: SlotModel;
  readonly logs: LogModel;
  readonly community: CommunityModel;
  /** Hears the date of every answer. */
  readonly clock: DaemonClock;
  readonly toasts = new Toasts();
  readonly world = new WorldModel();
  readonly link: Signal<LinkStatus> = signal({ kind: "connecting" });
  readonly connected = computed(() => this.link.value.kind === "open");
  /** The daemon wants a token that this browser does not have. */
  readonly locked = signal(false);
  /** Null until the list has come. */
  readonly apps = signal<readonly AppInfo[] | null>(null);
  readonly startupApp = signal<string | null>(null);
  /** The newest first. */
  readonly jobs = signal<readonly Job[]>([]);
  /** What somebody has to confirm or call off. */
  readonly question = signal<Question | null>(null);
  readonly #client: Client;
  readonly #now: () => number;

  constructor({ client, now, flushSoon }: DashboardParts) {
    this.#client = client;
    this.#now = now;
    this.robot = new RobotModel(now);
    this.slot = new SlotModel();
    this.community = new CommunityModel(client, now);
    this.clock = new DaemonClock(now);
    this.logs = new LogModel(flushSoon);
  }

  /** Asks for everything that events only tell the changes of. */
  async refresh(): Promise<void> {
    try {
      const [status, slot, startup, jobs] = await Promise.all([
        this.#client.get<{ simulation_enabled: boolean; version: string | null }>("/api/daemon/status"),
        this.#client.get<AppStatus | null>("/api/apps/current-app-status"),
        this.#client.get<{ startup_app: string | null }>("/api/apps/startup-app"),
        this.#client.get<Job[]>("/api/apps/jobs"),
        this.#listApps(),
      ]);
      this.locked.value = false;
      this.robot.simulated.value = status.simulation_enabled;
      this.robot.version.value = status.version;
      this.slot.restore(slot);
      this.startupApp.value = startup.startup_app;
      this.jobs.value = jobs;
      // What lies on the hub may have changed while nobody heard.
      if (this.community.catalogue.value !== null) void this.browse();
      if (slot) await this.#recallLog(slot.info.name);
    } catch (error) {
      if (error instanceof RequestError && error.code === "token-required") this.locked.value = true;
      else this.toasts.report(error);
    }
  }

  ask(question: Question): void {
    this.question.value = question;
  }

  receiveState(text: string): void {
    this.robot.receive(JSON.parse(text) as RobotState);
  }

  receiveEvent(name: string, text: string): void {
    const handle = this.#handlers[name as keyof Events] as ((data: unknown) => void) | undefined;
    handle?.(JSON.parse(text));
  }

  readonly start = (name: string) =>
    this.#inSlot("start", () => this.#client.post<AppStatus>(`/api/apps/start-app/${encodeURIComponent(name)}`));
  readonly stop = () => this.#inSlot("stop", () => this.#client.post<AppStatus>("/api/apps/stop-current-app"));
  readonly restart = () => this.#inSlot("start", () => this.#client.post<AppStatus>("/api/apps/restart-current-app"));
  readonly remove = (name: string) =>
    this.#ask(() => this.#client.post(`/api/apps/remove/${encodeURIComponent(name)}`));
  /** Takes a folder of the daemon's machine or an address. True when the job was accepted. */
  readonly install = (source: string) =>
    this.#ask(() => this.#client.post("/api/apps/install", isAddress(source) ? { url: source } : { path: source }));
  readonly update = (name: string) =>
    this.#ask(() => this.#client.post(`/api/apps/update/${encodeURIComponent(name)}`));
  /** Reads what the hub offers. @param refresh asks the hub even when it was asked just before */
  readonly browse = (refresh = false) => this.#ask(() => this.community.load(refresh));
  readonly cancelJob = (id: string) => this.#ask(() => this.#client.post(`/api/apps/job-cancel/${id}`));
  readonly setStartupApp = (name: string | null) =>
    this.#ask(() => this.#client.put("/api/apps/startup-app", { startup_app: name }));
  readonly play = (move: "wake_up" | "goto_sleep") => this.#ask(() => this.#client.post(`/api/move/play/${move}`));
  readonly setMotorMode = (mode: string) => this.#ask(() => this.#client.post(`/api/motors/set_mode/${mode}`));
  /** Pulls at the simulated robot, or lets go with null. One pull that gets lost is not worth a word. */
  readonly push = (push: Push | Pull | null): void => {
    const told = push
      ? this.#client.post("/api/simulation/push", { ...push, hand: HAND, seconds: GRIP })
      : this.#client.post(`/api/simulation/release/${HAND}`);
    told.catch((error: unknown) => {
      if (error instanceof RequestError && error.code !== "unreachable") this.toasts.report(error);
    });
  };

  readonly addObject = (object: SceneObject) => this.#ask(() => this.#client.post("/api/simulation/objects", object));
  readonly removeObject = (name: string) =>
    this.#ask(() => this.#client.delete(`/api/simulation/objects/${encodeURIComponent(name)}`));
  readonly resetWorld = () => this.#ask(() => this.#client.post("/api/simulation/reset"));

  readonly #handlers: { [Name in keyof Events]: (data: Events[Name]) => void } = {
    slot: (status) => this.slot.change(status),
    log: (line) => this.logs.push(line),
    job: (job) => this.#receiveJob(job),
    robot: ({ kind, level, message }) => {
      if (OFTEN.has(kind)) this.logs.push({ time: this.#now(), app: "robot", from: "daemon", text: message });
      else if (level !== "info") this.toasts.show(level, message);
    },
    "startup-app": ({ startup_app }) => {
      this.startupApp.value = startup_app;
    },
    notice: ({ level, message }) => this.toasts.show(level, message),
  };

  #receiveJob(job: Job): void {
    this.jobs.value = [job, ...this.jobs.value.filter(({ job_id }) => job_id !== job.job_id)];
    if (job.status !== "done") return;
    if (job.result !== null) this.toasts.show("info", `${job.result.name} is installed.`);
    this.#listApps().catch(this.toasts.report);
  }

  async #listApps(): Promise<void> {
    const apps = await this.#client.get<AppInfo[]>("/api/apps/list");
    this.apps.value = apps;
    void this.community.checkUpdates(apps);
  }

  async #recallLog(app: string): Promise<void> {
    const path = `/api/apps/logs/${encodeURIComponent(app)}?lines=200`;
    const { lines } = await this.#client.get<{ lines: LogLine[] }>(path);
    this.logs.restore(lines);
  }

  async #inSlot(pending: "start" | "stop", request: () => Promise<AppStatus>): Promise<void> {
    this.slot.pending.value = pending;
    await this.#ask(async () => this.slot.change(await request()));
    this.slot.pending.value = null;
  }

  async #ask(request: () => Promise<unknown>): Promise<boolean> {
    return request().then(
      () => true,
      (error: unknown) => {
        this.toasts.report(error);
        return false;
      },
    );
  }
}

/** Whether an install box was given an address instead of a folder. */
export const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(source.trim());
