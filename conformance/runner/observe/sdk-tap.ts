import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import WebSocket, { WebSocketServer } from "ws";
import { TRACKS } from "../../../robot/wire/audio/audio-frames.ts";
import { parseLoosely } from "../../evidence/parse-loosely.ts";
import { authorization } from "../daemon/daemon-handle.ts";

/** Is called for what passes through the tap. */
export interface TapListener {
  /** A client of the SDK socket is connected to the daemon. `pid` is the process id that it sends; null without one. */
  onConnect(pid: number | null): void;
  /** The client has closed its SDK socket, or its process has ended. */
  onDisconnect(pid: number | null): void;
  /** A client asks for a socket. */
  onConnectAttempt(pid: number | null): void;
  /** A client sends a message that moves the robot. `kind` is its type, or the path of a request. */
  onCommand(pid: number | null, kind: string, text: string): void;
  /** A client plays or records, for example `plays samples`. */
  onSound(pid: number | null, what: string): void;
}

/** Message types that do not move the robot. */
const NOT_MOTION = new Set([
  "start_recording",
  "append_record",
  "stop_recording",
  "set_automatic_body_yaw",
  "set_wobbling",
  "set_head_tracking",
]);
/** A socket of the app, and the one of the daemon that it stands for. */
interface Pair {
  app: WebSocket;
  daemon: WebSocket;
  /** Nothing passes any more, in either direction. */
  isSilent: boolean;
}

/** The header in which the SDK sends its process id. */
const PID_HEADER = "x-robot-client-pid";
const MOTION_PATHS = /^\/api\/(move|motors)\//;
const SDK_PATH = "/ws/sdk";
const AUDIO_PATH = "/ws/audio";
/** The socket on which the public daemon takes targets. */
const TARGETS_PATH = "/api/move/ws/set_target";

/**
 * A proxy between an app and its daemon. The app is given the tap's address for the daemon's. The tap passes every
 * message and every body unchanged, reports what the app sends, and can act as a daemon that is slow, silent or
 * unreachable.
 */
export class SdkTap {
  /** The process id by which daemon and listener know the client that sends this one. */
  translatePid: (pid: number) => number = (pid) => pid;
  readonly #listener: TapListener;
  readonly #server = createServer((request, response) => this.#forward(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #pairs = new Set<Pair>();
  #daemon = "";
  /** What the tap adds to each request, so that the daemon accepts it. */
  #authorization: Record<string, string> = {};
  #delayMs = 0;
  #unreachable = false;
  #silent = false;
  #waiting: (() => void)[] | null = null;

  constructor(listener: TapListener) {
    this.#listener = listener;
    this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Listens on a free port of 127.0.0.1; returns its address. */
  async open(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the daemon's address, and the token that it asks for. */
  forwardTo(daemon: string, token: string | null = null): void {
    this.#daemon = daemon;
    this.#authorization = authorization(token);
  }

  /** Lets new sockets wait until `releaseConnections`. */
  holdConnections(): void {
    this.#waiting ??= [];
  }

  releaseConnections(): void {
    const held = this.#waiting ?? [];
    this.#waiting = null;
    for (const connect of held) connect();
  }

  /** Delays every socket message, in both directions. */
  setDelay(milliseconds: number): void {
    this.#delayMs = milliseconds;
  }

  /**
   * Answers nothing any more, as a daemon that hangs or a robot that has lost its power. The connections stay open and
   * silent, also after `restore`; new ones wait for it.
   */
  goSilent(): void {
    this.#silent = true;
    this.holdConnections();
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  /** Closes all connections and refuses new ones, as a daemon that was killed does. */
  dropConnections(): void {
    this.#unreachable = true;
    for (const { app, daemon } of this.#pairs) {
      app.terminate();
      daemon.terminate();
    }
  }

  /** Ends `goSilent` and `dropConnections`. */
  restore(): void {
    this.#unreachable = false;
    if (this.#silent) this.releaseConnections();
    this.#silent = false;
  }

  close(): void {
    this.dropConnections();
    this.#waiting = null;
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #forward(from: IncomingMessage, to: ServerResponse): void {
    if (this.#unreachable || this.#silent) {
      if (this.#unreachable) from.socket.destroy();
      return;
    }
    const path = from.url ?? "/";
    const route = routeOf(path);
    if (from.method === "POST" && MOTION_PATHS.test(route)) this.#reportBody(from, route);
    const { host } = new URL(this.#daemon);
    const forwarded = request(
      this.#daemon,
      { method: from.method, path, headers: { ...from.headers, ...this.#authorization, host } },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    forwarded.on("error", () => to.destroy());
    from.pipe(forwarded);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    if (this.#unreachable) return void socket.destroy();
    const sent = pidOf(request);
    const pid = sent === null ? null : this.translatePid(sent);
    this.#listener.onConnectAttempt(pid);
    const connect = () => this.#connect(request, socket, head, pid);
    if (this.#waiting === null) connect();
    else this.#waiting.push(connect);
  }

  #connect(request: IncomingMessage, socket: Duplex, head: Buffer, pid: number | null): void {
    if (socket.destroyed || this.#unreachable) return void socket.destroy();
    const url = this.#daemon.replace("http", "ws") + (request.url ?? "/");
    const daemon = new WebSocket(url, {
      headers: { ...endToEndHeaders(request, pid), ...this.#authorization },
      perMessageDeflate: false,
    });
    daemon.on("error", () => socket.destroy());
    // An app that ends before the daemon has answered.
    const giveUp = () => daemon.terminate();
    socket.once("close", giveUp);
    // Messages of the daemon that arrive before the app's side is open are kept.
    const early: [WebSocket.RawData, boolean][] = [];
    const keep = (data: WebSocket.RawData, binary: boolean) => early.push([data, binary]);
    daemon.on("message", keep);
    daemon.once("open", () => {
      socket.off("close", giveUp);
      this.#sockets.handleUpgrade(request, socket, head, (app) => {
        daemon.off("message", keep);
        this.#join(app, daemon, pid, routeOf(request.url ?? ""));
        for (const [data, binary] of early) app.send(data, { binary });
      });
    });
  }

  #join(app: WebSocket, daemon: WebSocket, pid: number | null, route: string): void {
    const isSdk = route === SDK_PATH;
    const pair: Pair = { app, daemon, isSilent: false };
    this.#pairs.add(pair);
    if (isSdk) this.#listener.onConnect(pid);
    app.on("message", (data, binary) => {
      if (isSdk) this.#report(pid, String(data));
      if (route === TARGETS_PATH) this.#listener.onCommand(pid, route, String(data));
      if (route === AUDIO_PATH) this.#reportSound(pid, data as Buffer, binary);
      this.#sendDelayed(pair, () => daemon.send(data, { binary }));
    });
    daemon.on("message", (data, binary) => this.#sendDelayed(pair, () => app.send(data, { binary })));
    app.once("close", () => {
      if (isSdk && !this.#unreachable) this.#listener.onDisconnect(pid);
    });
    for (const [one, other] of [
      [app, daemon],
      [daemon, app],
    ] as const) {
      one.on("error", () => one.terminate());
      one.on("close", (code, reason) => {
        this.#pairs.delete(pair);
        // 1005 and 1006 mean that there was no code; they cannot be sent.
        if (code >= 1000 && code !== 1005 && code !== 1006) other.close(code, reason);
        else other.close();
      });
    }
  }

  #report(pid: number | null, text: string): void {
    const kind = typeOf(text);
    if (!NOT_MOTION.has(kind)) this.#listener.onCommand(pid, kind, text);
  }

  #reportSound(pid: number | null, data: Buffer, binary: boolean): void {
    const what = binary ? SOUNDS[TRACKS[data[0] ?? -1] ?? ""] : soundOf(String(data));
    if (what !== undefined) this.#listener.onSound(pid, what);
  }

  /** A REST client names no process. */
  #reportBody(request: IncomingMessage, path: string): void {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => this.#listener.onCommand(null, path, Buffer.concat(chunks).toString("utf8")));
  }

  /** Whether no client is connected and the tap delays, holds and drops nothing. */
  get isIdle(): boolean {
    const passes = this.#delayMs === 0 && !this.#unreachable && !this.#silent && this.#waiting === null;
    return passes && this.#pairs.size === 0;
  }

  #sendDelayed(pair: Pair, send: () => void): void {
    if (pair.isSilent) return;
    if (this.#delayMs === 0) send();
    else setTimeout(() => pair.isSilent || send(), this.#delayMs);
  }
}

/** What a client does that sends samples, by their track. */
const SOUNDS: Readonly<Record<string, string>> = { speaker: "plays samples", sound: "plays a sound" };

/** What a client does with a text message of the audio socket. */
function soundOf(text: string): string | undefined {
  const type = typeOf(text);
  if (type === "play") return "plays a sound";
  return type === "listen" && /"on":\s*true/.test(text) ? "records the microphone" : undefined;
}

/** The headers of an upgrade that are not of the WebSocket handshake itself. */
function endToEndHeaders({ headers }: IncomingMessage, pid: number | null): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const isHop = ["host", "connection", "upgrade"].includes(name) || name.startsWith("sec-websocket-");
    return isHop || typeof value !== "string" ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(own), ...(pid === null ? {} : { [PID_HEADER]: String(pid) }) };
}

function pidOf(request: IncomingMessage): number | null {
  const pid = Number(request.headers[PID_HEADER]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}

/** The route that the daemon takes a path for: without the query, in lower case, without a slash at the end. */
const routeOf = (path: string): string => (path.split("?")[0] ?? "").toLowerCase().replace(/\/$/, "");

/** The type of a message as the daemon reads it, which is not always the first one in its text. */
function typeOf(text: string): string {
  const type = (parseLoosely(text) as { type?: unknown } | null | undefined)?.type;
  return typeof type === "string" ? type : "unknown";
}
