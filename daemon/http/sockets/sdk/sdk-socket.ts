import type { IncomingHttpHeaders } from "node:http";
import { SharedBudget } from "../../../../common/bounded.ts";
import type { Clock } from "../../../../common/time/clock.ts";
import { DEFAULT_DIALECT, dialectOfClient } from "../../../../robot/dialects/dialects.ts";
import type { RobotEvent } from "../../../../robot/wire/robot/robot-event.ts";
import type { RobotState } from "../../../../robot/wire/robot/robot-state.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { type WebSocketClient, WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import type { StateWatchers } from "../state/state-socket.ts";
import { type DaemonInfo, daemonStatus, type MediaLease, STATUS_PERIOD_MS } from "./daemon-status.ts";
import { ALL_RECORDINGS } from "./motion-recording.ts";
import { SdkSession, type SettingOwners } from "./sdk-session.ts";
import { stateMessages, touchMessage } from "./state-messages.ts";

/** A session counts as moving the robot for this long after its last motion message. */
const ACTIVE_FOR_MS = 5000;
const MAX_MESSAGE_BYTES = 64_000;
/** Only robot-sdk sends it, with its process id. */
const PID_HEADER = DEFAULT_DIALECT.clientHeader;

interface SdkSocketOptions {
  robot: Robot;
  watchers: StateWatchers;
  info: DaemonInfo;
  clock: Clock;
  /** Called for each client. Returns, or settles with, whether it is the app of the slot. */
  onConnect: (client: ClientProcess) => boolean | Promise<boolean>;
  /** Stops the app of the slot, then puts the robot to sleep: for clients that are not this app. */
  stopAppAndSleep: Robot["goToSleep"];
  /** Gets a sentence for people about a refused message: for each client one per type of message. */
  onRefused: (message: string) => void;
  /** Gets a warning for the log of the app of the slot, addressed to the app's author. */
  onAppWarning: (message: string) => void;
}

/** How the process of a client is known. */
interface ClientProcess {
  /** The process id that it sends in the header `X-Robot-Client-Pid`; undefined without one. */
  pid: number | undefined;
  /** Its port, when it is on this machine. */
  port: number | undefined;
}

interface Client {
  session: SdkSession;
  /** False until that is known. */
  isApp: boolean;
  /** Whether the client uses robot-sdk and not the public SDK. */
  isRobotSdk: boolean;
}

/** `/ws/sdk`: sends state and status to all clients and gives each client a session. */
export class SdkSocket {
  readonly endpoint: WebSocketEndpoint;
  readonly media: MediaLease = { isReleased: false };
  readonly #options: SdkSocketOptions;
  readonly #clients = new Map<WebSocketClient, Client>();
  readonly #owners: SettingOwners = new Map();
  readonly #recordings = new SharedBudget(ALL_RECORDINGS);
  #phase: RobotState["phase"] | undefined;

  constructor(options: SdkSocketOptions) {
    const { clock, robot } = options;
    this.#options = options;
    this.endpoint = new WebSocketEndpoint({
      clock,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      onConnect: (client) => this.connect(client),
      onMessage: (client, data) => this.receive(client, String(data)),
    });
    const { scope } = this.endpoint;
    scope.add(robot.onState((state) => this.#broadcastState(state)));
    scope.add(robot.onEvent((event) => this.#sendTouch(event)));
    scope.repeat(clock, STATUS_PERIOD_MS, () => this.#broadcastStatus());
  }

  /** True while a client other than the app of the slot moves the robot. */
  hasRemoteSession(): boolean {
    const since = this.#options.clock.now() - ACTIVE_FOR_MS;
    return [...this.#clients.values()].some(
      ({ session, isApp }) => !isApp && session.movedAt !== null && session.movedAt > since,
    );
  }

  /** Gives a client that has connected a session. */
  connect(client: WebSocketClient): void {
    const { robot, clock, info, onConnect, stopAppAndSleep, onRefused, onAppWarning } = this.#options;
    const { request, port, queue, scope } = client;
    scope.add(this.#options.watchers.add());
    const pidHeader = request.headers[PID_HEADER];
    const dialect = dialectOfClient(request.headers);
    const pid = Number(pidHeader);
    const isApp = onConnect({
      pid: Number.isSafeInteger(pid) && pid > 0 ? pid : undefined,
      port,
    });
    const known = { isApp: isApp === true };
    const session = new SdkSession({
      dialect,
      sender: () => (known.isApp ? "The app" : "A program on the SDK socket"),
      versions: { client: sdkVersionIn(request.headers, dialect.clientHeader), daemon: info.version },
      robot,
      owners: this.#owners,
      recordings: this.#recordings,
      clock,
      goToSleep: async (id) => ((await isApp) ? robot.goToSleep(id) : stopAppAndSleep(id)),
      scope,
      send: (message) => queue.send(JSON.stringify(message)),
      sendText: (json) => queue.send(json),
      onRefused,
      onTooManyTargets: (message) => (known.isApp ? onAppWarning : onRefused)(message),
    });
    const isRobotSdk = pidHeader !== undefined;
    const entry = Object.assign(known, { session, isRobotSdk });
    this.#clients.set(client, entry);
    if (isApp instanceof Promise)
      void isApp.then((answer) => {
        entry.isApp = answer;
      });
    scope.add(() => this.#clients.delete(client));
    for (const [type, json] of stateMessages(robot.state)) queue.sendNewest(type, json);
    queue.sendNewest("daemon_status", this.#statusText(isRobotSdk));
  }

  /** Handles a message of a client; settles when the robot has done what it asks for. */
  receive(client: WebSocketClient, text: string): Promise<void> | undefined {
    return this.#clients.get(client)?.session.receive(text);
  }

  /** A change of phase is sent immediately, because an app's moves fail from then on. */
  #broadcastState(state: RobotState): void {
    if (this.#clients.size > 0) {
      const messages = stateMessages(state);
      for (const { queue } of this.#clients.keys()) for (const [type, json] of messages) queue.sendNewest(type, json);
    }
    if (state.phase === this.#phase) return;
    this.#phase = state.phase;
    this.#broadcastStatus();
  }

  /** Sends a touch to clients with robot-sdk only, because the public protocol has no message for it. */
  #sendTouch(event: RobotEvent): void {
    const message = touchMessage(event);
    if (message === undefined) return;
    for (const [{ queue }, { isRobotSdk }] of this.#clients) if (isRobotSdk) queue.send(JSON.stringify(message));
  }

  #broadcastStatus(): void {
    if (this.#clients.size === 0) return;
    const [withVersion, withoutVersion] = [this.#statusText(true), this.#statusText(false)];
    for (const [{ queue }, { isRobotSdk }] of this.#clients)
      queue.sendNewest("daemon_status", isRobotSdk ? withVersion : withoutVersion);
  }

  /** Only robot-sdk gets the version: the public SDK warns about any version other than its own. */
  #statusText(withVersion: boolean): string {
    const status = daemonStatus(this.#options.robot, this.#options.info, this.media.isReleased);
    return JSON.stringify(withVersion ? status : { ...status, version: null });
  }
}

/** robot-sdk names its version in the user agent, the public SDK in the header by which it is known. */
export function sdkVersionIn(headers: IncomingHttpHeaders, clientHeader: string): string {
  return String((clientHeader === PID_HEADER ? headers["user-agent"] : headers[clientHeader]) ?? "unknown");
}
