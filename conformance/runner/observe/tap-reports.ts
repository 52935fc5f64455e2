import type { IncomingMessage } from "node:http";
import type WebSocket from "ws";
import type { Command } from "../../evidence/app-run.ts";
import { messageTypeOf, soundOf } from "./tapped-messages.ts";

/** A command as a client sends it. */
export type SentCommand = Omit<Command, "t">;

/** Is called for what clients send. */
export interface ReportListener {
  /** A client sends a message that moves the robot, or sets whether its body follows its head. */
  onCommand(command: SentCommand): void;
  /** A client asks for what is the user's to decide: to install, start or remove apps, to choose the startup app, to end. */
  onRequest?(method: string, route: string): void;
  /** A client plays or records, for example `plays samples`. */
  onSound(pid: number | null, what: string): void;
}

/** A client of a socket of the daemon. */
export interface Client {
  pid: number | null;
  connection: number;
  isPublic: boolean;
}

/** Types of messages that are no commands. */
const NO_COMMANDS = new Set([
  "start_recording",
  "append_record",
  "stop_recording",
  "set_wobbling",
  "set_head_tracking",
]);

export const SDK_PATH = "/ws/sdk";
const AUDIO_PATH = "/ws/audio";
/** The socket on which the public daemon takes targets. */
const TARGETS_PATH = "/api/move/ws/set_target";
/** What apps and the daemon itself do is for the user to decide; an app may end itself. */
const USERS_PATHS = /^\/api\/(apps|daemon)\/(?!stop-current-app$)/;
const MOTION_PATHS = /^\/api\/(move|motors)\//;

/** Reports a message that a client sends over a socket of the daemon. */
export function reportMessage(
  listener: ReportListener,
  { route, client }: { route: string; client: Client },
  data: WebSocket.RawData,
  binary: boolean,
): void {
  const text = () => String(data);
  if (route === TARGETS_PATH) listener.onCommand({ ...client, kind: route, text: text() });
  if (route === SDK_PATH) {
    const kind = messageTypeOf(text());
    if (!NO_COMMANDS.has(kind)) listener.onCommand({ ...client, kind, text: text() });
  }
  if (route === AUDIO_PATH) {
    const what = soundOf(data as Buffer, binary);
    if (what !== undefined) listener.onSound(client.pid, what);
  }
}

/** Reports a request that is the user's to send, or moves the robot: once its body is complete. A REST client names no process. */
export function reportRequest(listener: ReportListener, request: IncomingMessage, route: string): void {
  const { method = "GET" } = request;
  if (!["GET", "HEAD", "OPTIONS"].includes(method) && USERS_PATHS.test(route)) listener.onRequest?.(method, route);
  if (request.method !== "POST" || !MOTION_PATHS.test(route)) return;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  const client = { pid: null, connection: null, isPublic: false };
  request.once("end", () => {
    listener.onCommand({ ...client, kind: route, text: Buffer.concat(chunks).toString("utf8") });
  });
}
