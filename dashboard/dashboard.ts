import { computed, type Signal, signal } from "@preact/signals";
import { Emitter } from "../common/emitter.ts";
import { LatestSender } from "../common/latest-sender.ts";
import type { LogLine } from "../robot/wire/apps/app-events.ts";
import type { AppInfo, AppStatus } from "../robot/wire/apps/app-status.ts";
import { installedText } from "../robot/wire/apps/install-text.ts";
import { withJobEvent } from "../robot/wire/apps/job-log.ts";
import type { Job, JobEvent } from "../robot/wire/apps/jobs.ts";
import type { DaemonEventName, DaemonEvents } from "../robot/wire/daemon-events.ts";
import type { RobotEvent } from "../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../robot/wire/robot/robot-state.ts";
import type { DaemonStatusMessage } from "../robot/wire/robot/sdk-messages.ts";
import type { Pull, Push, SceneObject } from "../robot/wire/scene/hand-act.ts";
import type { CertificationState } from "../robot/wire/workshop/certification.ts";
import { AppDetailsModel } from "./apps/app-details-model.ts";
import { SlotModel } from "./apps/slot-model.ts";
import { CommunityModel, isUnfinished } from "./community/community-model.ts";
import { type Client, RequestError } from "./connection/client.ts";
import { DaemonClock } from "./connection/daemon-clock.ts";
import type { ConnectionStatus } from "./connection/live-connection.ts";
import { isAddress } from "./install/install-source.ts";
import { LogModel } from "./logs/log-model.ts";
import { ManualControl } from "./robot/manual-control.ts";
import { RobotModel } from "./robot/robot-model.ts";
import { copyToClipboard } from "./shell/copy-to-clipboard.ts";
import { Toasts } from "./shell/toasts.ts";
import { ObjectsModel } from "./simulation/objects-model.ts";
import { TimeModel } from "./simulation/time-model.ts";

/** A question before something that cannot be undone. */
interface Confirmation {
  text: string;
  detail?: string;
  /** The label of the button that does it. */
  action: string;
  run(): unknown;
}

/** The name of the mouse pointer among the hands that push the simulated robot. */
const HAND = "pointer";
/** Seconds that a push lasts when no other follows. */
const HOLD = 0.25;

/** Milliseconds that a robot needs at most to wake up. */
const WAKE_UP_MS = 10_000;

/** Events that an app may cause many times a second; they are shown in the log. */
const FREQUENT_EVENTS: ReadonlySet<RobotEvent["kind"]> = new Set(["target_clipped", "target_refused"]);

interface DashboardOptions {
  client: Client;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that only goes forward. */
  elapsed(): number;
  /** Calls back a little later. */
  scheduleFlush(flush: () => void): void;
}

/** The state of the page and the requests it can make. A failed request is shown as a toast. */
export class Dashboard {
  readonly robot: RobotModel;
  readonly slot = new SlotModel();
  readonly logs: LogModel;
  readonly community: CommunityModel;
  /** Synchronised with the date of every answer. */
  readonly clock: DaemonClock;
  readonly toasts = new Toasts();
  readonly objects = new ObjectsModel();
  readonly connection: Signal<ConnectionStatus> = signal({ kind: "connecting" });
  readonly connected = computed(() => this.connection.value.kind === "open");
  /** The daemon requires a token that this browser does not have. */
  readonly locked = signal(false);
  /** Null until the list is loaded. */
  readonly apps = signal<readonly AppInfo[] | null>(null);
  readonly startupApp = signal<string | null>(null);
  /** The newest first. */
  readonly jobs = signal<readonly Job[]>([]);
  /** Ids of the jobs that have changed since the page was opened. */
  readonly changedJobs = new Set<string>();
  readonly confirmation = signal<Confirmation | null>(null);
  readonly appDetails: AppDetailsModel;
  readonly manualControl: ManualControl;
  readonly simulatedTime: TimeModel;
  readonly newAppOpen = signal(false);
  /** The app whose settings are open. */
  readonly settingsOf = signal<string | null>(null);
  /** A dialog is open, which keeps everything outside of it from being seen and used. */
  readonly dialogOpen = computed(
    () =>
      this.confirmation.value !== null ||
      this.appDetails.name.value !== null ||
      this.newAppOpen.value ||
      this.settingsOf.value !== null,
  );
  /** Emits when the workshop writes files of the app. */
  readonly filesWritten = new Emitter<undefined>();
  /** Emits the state of the certification of the workshop's app as it changes. */
  readonly certifications = new Emitter<CertificationState>();
  readonly #client: Client;
  readonly #now: () => number;
  /** One request at a time: an older push that arrives after the release would throw the robot's head. */
  readonly #pushes = new LatestSender<Push | Pull | null>((action) => this.#push(action));

  constructor({ client, now, elapsed, scheduleFlush }: DashboardOptions) {
    this.#client = client;
    this.#now = now;
    this.robot = new RobotModel(elapsed);
    this.manualControl = new ManualControl(client, this.toasts.report);
    this.simulatedTime = new TimeModel(client, this.toasts.report, elapsed);
    this.appDetails = new AppDetailsModel(client, this.toasts);
    this.community = new CommunityModel(client, elapsed);
    this.clock = new DaemonClock(now);
    this.logs = new LogModel(scheduleFlush);
  }

  /** Loads everything whose changes the events report. Called when a connection opens. */
  async refresh(): Promise<void> {
    this.logs.beginConnection();
    try {
      const [status, slot, startup, jobs] = await Promise.all([
        this.#client.get<DaemonStatusMessage>("/api/daemon/status"),
        this.#client.get<AppStatus | null>("/api/apps/current-app-status"),
        this.#client.get<{ startup_app: string | null }>("/api/apps/startup-app"),
        this.#client.get<Job[]>("/api/apps/jobs"),
        this.#loadApps(),
      ]);
      this.locked.value = false;
      this.robot.simulated.value = status.simulation_enabled;
      this.robot.version.value = status.version;
      // Empty for a robot without a camera.
      this.robot.hasCamera.value = status.camera_specs_name !== "";
      if (status.simulation_enabled) void this.simulatedTime.load();
      this.slot.change(slot);
      this.startupApp.value = startup.startup_app;
      this.jobs.value = newestOf(jobs, this.jobs.value);
      // The catalogue may have changed while the page was not connected.
      if (this.community.catalogue.value !== null) void this.browse();
      if (slot) {
        const path = `/api/apps/logs/${encodeURIComponent(slot.info.name)}?lines=200`;
        this.logs.restore((await this.#client.get<{ lines: LogLine[] }>(path)).lines);
      }
    } catch (error) {
      if (error instanceof RequestError && error.code === "token-required") this.locked.value = true;
      else this.toasts.report(error);
    }
  }

  /** Copies text to the clipboard. @param done what is shown then */
  readonly copy = (text: string, done: string): Promise<void> =>
    copyToClipboard(text).then(() => this.toasts.show("info", done), this.toasts.report);

  confirm(confirmation: Confirmation): void {
    this.confirmation.value = confirmation;
  }

  /** @param text a RobotState as JSON */
  receiveState(text: string): void {
    this.robot.receive(JSON.parse(text) as RobotState);
  }

  /** @param text the data of the event as JSON; events of other names are ignored */
  receiveEvent(name: string, text: string): void {
    const handle = this.#handlers[name as DaemonEventName] as ((data: unknown) => void) | undefined;
    handle?.(JSON.parse(text));
  }

  /** Starts an app in place of the one that runs, if any. A sleeping robot wakes up first, since no app can move it. */
  readonly start = (name: string) =>
    this.#changeSlot("start", async () => {
      if (this.robot.sleeps) {
        this.toasts.show("info", `The robot wakes up; then ${name} starts.`);
        await this.#client.post("/api/move/play/wake_up");
        await this.robot.awoken(WAKE_UP_MS);
      }
      const replace = this.slot.busy.peek() ? "?replace=true" : "";
      return this.#client.post<AppStatus>(`/api/apps/start-app/${encodeURIComponent(name)}${replace}`);
    });
  readonly restart = () =>
    this.#changeSlot("start", () => this.#client.post<AppStatus>("/api/apps/restart-current-app"));
  readonly stop = () => this.#changeSlot("stop", () => this.#client.post<AppStatus>("/api/apps/stop-current-app"));
  readonly remove = (name: string) => this.#post(`/api/apps/remove/${encodeURIComponent(name)}`);
  /**
   * @param source a folder of the daemon's machine or an address
   * @param isolated gives the app an environment of its own
   * @returns whether the job was accepted
   */
  readonly install = (source: string, isolated = false) => {
    const what = { ...(isAddress(source) ? { url: source } : { path: source }), ...(isolated && { isolated }) };
    return this.#post("/api/apps/install", what);
  };
  readonly update = (name: string) => this.#post(`/api/apps/update/${encodeURIComponent(name)}`);
  /** Loads the catalogue. @param refresh asks the hub even if it was asked shortly before */
  readonly browse = (refresh = false) => this.#request(() => this.community.load(refresh));
  readonly cancelJob = (id: string) => this.#post(`/api/apps/job-cancel/${id}`);
  readonly setStartupApp = (name: string | null) =>
    this.#request(() => this.#client.put("/api/apps/startup-app", { startup_app: name }));
  readonly play = (move: "wake_up" | "goto_sleep") => this.#post(`/api/move/play/${move}`);
  readonly setMotorMode = (mode: string) => this.#post(`/api/motors/set_mode/${mode}`);
  /** Drags a body of the simulation, or releases it with null. */
  readonly push = (action: Push | Pull | null): Promise<void> => this.#pushes.send(action);
  readonly touch = (antenna: "left" | "right") => this.#post(`/api/simulation/touch/${antenna}`);
  readonly addObject = (object: SceneObject) => this.#post("/api/simulation/objects", object);
  readonly removeObject = (name: string) =>
    this.#request(() => this.#client.delete(`/api/simulation/objects/${encodeURIComponent(name)}`));
  readonly resetSimulation = () => this.#post("/api/simulation/reset");

  readonly #handlers: { [Name in DaemonEventName]: (data: DaemonEvents[Name]) => void } = {
    slot: (status) => this.slot.change(status),
    log: (line) => this.logs.push(line),
    // The slot and the log say the same to a person.
    process: () => {},
    job: (event) => this.#receiveJob(event),
    robot: ({ kind, level, message }) => {
      if (FREQUENT_EVENTS.has(kind)) this.logs.push({ time: this.#now(), app: "robot", from: "daemon", text: message });
      else if (level !== "info") this.toasts.show(level, message);
      // A new simulation is not paused.
      if (kind === "phase" && this.robot.simulated.peek()) void this.simulatedTime.load();
    },
    "startup-app": ({ startup_app }) => {
      this.startupApp.value = startup_app;
    },
    workshop: () => this.filesWritten.emit(undefined),
    "simulated-time": (time) => this.simulatedTime.receive(time),
    certification: (state) => this.certifications.emit(state),
    notice: ({ level, message }) => this.toasts.show(level, message),
  };

  #receiveJob(event: JobEvent): void {
    this.changedJobs.add(event.job_id);
    const others = this.jobs.value.filter(({ job_id }) => job_id !== event.job_id);
    const job = withJobEvent(
      this.jobs.value.find(({ job_id }) => job_id === event.job_id),
      event,
    );
    this.jobs.value = [job, ...others];
    if (job.status !== "done") return;
    if (job.result !== null) {
      const { installed } = job.result.extra;
      const figures = installed === undefined ? "" : ` (${installedText(installed)})`;
      this.toasts.show("info", `${job.result.name} is installed${figures}.`);
    }
    this.#loadApps().catch(this.toasts.report);
  }

  async #loadApps(): Promise<void> {
    const apps = await this.#client.get<AppInfo[]>("/api/apps/list");
    this.apps.value = apps;
    void this.community.checkUpdates(apps);
  }

  #push(action: Push | Pull | null): Promise<unknown> {
    const request = action
      ? this.#client.post("/api/simulation/push", { ...action, hand: HAND, seconds: HOLD })
      : this.#client.post(`/api/simulation/release/${HAND}`);
    return request.catch((error: unknown) => {
      // The connection banner shows an unreachable daemon.
      if (!(error instanceof RequestError && error.code === "unreachable")) this.toasts.report(error);
    });
  }

  /** A second click does nothing. The buttons stay enabled meanwhile, because a disabled one loses the focus. */
  async #changeSlot(pending: "start" | "stop", request: () => Promise<AppStatus>): Promise<void> {
    const current = this.slot.pending.peek();
    if (pending === "start" ? current !== null : current === "stop") return;
    this.slot.pending.value = pending;
    const { revision } = this.slot;
    await this.#request(async () => this.slot.takeAnswer(await request(), revision));
    this.slot.pending.value = null;
  }

  #post(path: string, body?: unknown): Promise<boolean> {
    return this.#request(() => this.#client.post(path, body));
  }

  /** @returns whether the request succeeded; a failure is shown */
  async #request(request: () => Promise<unknown>): Promise<boolean> {
    return request().then(
      () => true,
      (error: unknown) => {
        this.toasts.report(error);
        return false;
      },
    );
  }
}

/** The jobs of an answer; events that arrived before it may know more of them. */
function newestOf(answer: readonly Job[], known: readonly Job[]): Job[] {
  return answer.map((job) => {
    const other = known.find(({ job_id }) => job_id === job.job_id);
    if (other === undefined) return job;
    const isNewer = other.log_lines > job.log_lines || (isUnfinished(job) && !isUnfinished(other));
    return isNewer ? other : job;
  });
}
