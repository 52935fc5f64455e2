import type { IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import type { ServerMessage } from "../../robot/wire/sdk-messages.ts";
import type { Robot, RobotState } from "../control/robot.ts";
import { SdkSession } from "./sdk-session.ts";
import { type DaemonFacts, daemonStatus } from "./sdk-status.ts";

/** A client that is this far behind (bytes) misses states until it has caught up; the next one is newer anyway. */
const MAX_BACKLOG = 256_000;
const STATUS_PERIOD_MS = 1000;
/** A session counts as driving the robot for this long after its last motion message. */
const ACTIVE_FOR_MS = 5000;
const MAX_MESSAGE_BYTES = 64_000;

export interface SdkSocketOptions {
  robot: Robot;
  facts: DaemonFacts;
  now: () => number;
  /**
   * Told of each client, with the process id that it names in `X-Robot-Client-Pid` (our SDK does); answers whether it
   * is the app of the slot.
   */
  onConnect: (pid: number | undefined) => boolean;
  /** Told of messages that fit no schema, as a sentence for people; now and then, not of each. */
  onRefused: (message: string) => void;
}

interface Client {
  session: SdkSession;
  isApp: boolean;
  /** Whether it is our own SDK, which says who it is. */
  isOurs: boolean;
}

/** `/ws/sdk`: pushes state and status to every client and hands their messages to a session each. */
export class SdkSocket {
  readonly server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  readonly #options: SdkSocketOptions;
  readonly #clients = new Map<WebSocket, Client>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #phase: RobotState["phase"] | undefined;

  constructor(options: SdkSocketOptions) {
    this.#options = options;
    this.server.on("connection", (socket, request) => this.#connect(socket, request));
    this.#unsubscribe = options.robot.onState((state) => this.#tell(state));
    this.#timer = setInterval(() => this.#broadcastStatus(), STATUS_PERIOD_MS);
  }

  /** True while a client that is not the app of the slot has been moving the robot. */
  hasRemoteMover(): boolean {
    const since = this.#options.now() - ACTIVE_FOR_MS;
    for (const { session, isApp } of this.#clients.values()) if (!isApp && session.movedAt > since) return true;
    return false;
  }

  /** Says goodbye to every client. */
  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    for (const socket of this.#clients.keys()) socket.close(1001, "the daemon is shutting down");
    this.server.close();
  }

  #connect(socket: WebSocket, request: IncomingMessage): void {
    const { robot, now, onConnect, onRefused } = this.#options;
    const send = (message: ServerMessage): void => socket.send(JSON.stringify(message));
    const pid = Number(request.headers["x-robot-client-pid"]);
    const isApp = onConnect(Number.isSafeInteger(pid) && pid > 0 ? pid : undefined);
    const who = isApp ? "The app" : "A program on the SDK socket";
    const session = new SdkSession({
      robot,
      now,
      send,
      onRefused: (detail) => onRefused(`${who} sent what is refused: ${detail}`),
    });
    const isOurs = request.headers["x-robot-client-pid"] !== undefined;
    this.#clients.set(socket, { session, isApp, isOurs });
    socket.on("message", (data) => session.receive(String(data)));
    socket.on("close", () => this.#clients.delete(socket));
    socket.on("error", () => socket.terminate());
    for (const text of [...stateMessages(robot.state), this.#status(isOurs)]) socket.send(text);
  }

  /** A change of phase is not kept until the next status is due: an app's moves fail from that moment on. */
  #tell(state: RobotState): void {
    this.#broadcast(stateMessages(state));
    if (state.phase === this.#phase) return;
    this.#phase = state.phase;
    this.#broadcastStatus();
  }

  /** The peer's client warns of any version that is not its own, so that only ours hears of it. */
  #status(withVersion: boolean): string {
    const status = daemonStatus(this.#options.robot, this.#options.facts);
    return JSON.stringify(withVersion ? status : { ...status, version: null });
  }

  #broadcastStatus(): void {
    for (const isOurs of [true, false]) this.#broadcast([this.#status(isOurs)], (client) => client.isOurs === isOurs);
  }

  #broadcast(texts: readonly string[], isMeant: (client: Client) => boolean = () => true): void {
    for (const [socket, client] of this.#clients) {
      if (!isMeant(client) || socket.bufferedAmount > MAX_BACKLOG) continue;
      for (const text of texts) socket.send(text);
    }
  }
}

/** One state as the two messages of the protocol. */
function stateMessages(state: RobotState): string[] {
  const m = state.headPose;
  const rows = [m.slice(0, 4), m.slice(4, 8), m.slice(8, 12), m.slice(12, 16)];
  const joints: ServerMessage = {
    type: "joint_positions",
    head_joint_positions: state.headJoints,
    antennas_joint_positions: state.antennas,
  };
  const pose: ServerMessage = { type: "head_pose", head_pose: rows };
  return [JSON.stringify(joints), JSON.stringify(pose)];
}
