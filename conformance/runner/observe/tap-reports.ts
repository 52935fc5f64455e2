import type { IncomingMessage } from "node:http";
import type WebSocket from "ws";
import { TRACKS } from "../../../robot/wire/audio/audio-frames.ts";
import type { Command } from "../../evidence/app-run.ts";
import { parsePythonJson } from "../../evidence/parse-python-json.ts";

/** A command as a client sends it. */
export type SentCommand = Omit<Command, "t">;

/** Callbacks for what clients send. */
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
  listener: () => ReportListener | null,
  { route, client }: { route: string; client: Client },
  data: WebSocket.RawData,
  binary: boolean,
): void {
  const text = () => String(data);
  if (route === TARGETS_PATH) listener()?.onCommand({ ...client, kind: route, text: text() });
  if (route === SDK_PATH) {
    const kind = messageTypeOf(text());
    if (!NO_COMMANDS.has(kind)) listener()?.onCommand({ ...client, kind, text: text() });
  }
  if (route === AUDIO_PATH) {
    const what = soundOf(data as Buffer, binary);
    if (what !== undefined) listener()?.onSound(client.pid, what);
  }
}

/** Reports a request that is the user's to send, or moves the robot: once its body is complete. A REST client names no process. */
export function reportRequest(listener: () => ReportListener | null, request: IncomingMessage, route: string): void {
  const { method = "GET" } = request;
  if (!["GET", "HEAD", "OPTIONS"].includes(method) && USERS_PATHS.test(route)) listener()?.onRequest?.(method, route);
  if (request.method !== "POST" || !MOTION_PATHS.test(route)) return;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  const client = { pid: null, connection: null, isPublic: false };
  request.once("end", () => {
    listener()?.onCommand({ ...client, kind: route, text: Buffer.concat(chunks).toString("utf8") });
  });
}

/** The type of a message as the daemon reads it, which is not always the first one in its text. */
function messageTypeOf(text: string): string {
  const type = (parsePythonJson(text) as { type?: unknown } | null | undefined)?.type;
  return typeof type === "string" ? type : "unknown";
}

/** What a client does that sends samples, by their track. */
const SOUNDS: Readonly<Record<string, string>> = { speaker: "plays samples", sound: "plays a sound" };

/** What a client does with a message of the audio socket; undefined for what makes or takes no sound. */
const soundOf = (data: Buffer, binary: boolean): string | undefined =>
  binary ? SOUNDS[TRACKS[data[0] ?? -1] ?? ""] : soundOfText(String(data));

function soundOfText(text: string): string | undefined {
  const type = messageTypeOf(text);
  if (type === "play") return "plays a sound";
  return type === "listen" && /"on":\s*true/.test(text) ? "records the microphone" : undefined;
}
