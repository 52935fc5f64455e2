import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import WebSocket, { WebSocketServer } from "ws";

/** What the tap tells of what passes through it. */
export interface TapListener {
  /** A client of the SDK socket has got through; the process id that it names. */
  onConnect(pid: number | null): void;
  /** A client asks to come through. */
  onKnock(pid: number | null): void;
  /** `kind` is the message's type, or the path of a request. */
  onCommand(pid: number | null, kind: string, text: string): void;
}

/** What does not move the robot. */
const HARMLESS = new Set(["start_recording", "append_record", "stop_recording", "set_automatic_body_yaw"]);
const MOVES = /^\/api\/(move|motors)\//;

/**
 * Stands between an app and its daemon, as the daemon's address that the app is given: hears what the app sends, and
 * can play a daemon that is slow, silent or gone. Bytes pass unchanged.
 */
export class SdkTap {
  readonly #listener: TapListener;
  readonly #server = createServer((request, response) => this.#forward(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #pairs = new Set<{ app: WebSocket; daemon: WebSocket }>();
  #daemon = "";
  #delayMs = 0;
  #gone = false;
  #silent = false;
  #held: (() => void)[] | null = null;

  constructor(listener: TapListener) {
    this.#listener = listener;
    this.#server.on("upgrade", (request, socket, head) => this.#knock(request, socket, head));
  }

  /** Listens on a free port of loopback; returns its address. */
  async open(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Where everything goes from now on. */
  leadTo(daemon: string): void {
    this.#daemon = daemon;
  }

  /** Lets clients of the SDK socket wait at the door until `admit`. */
  hold(): void {
    this.#held ??= [];
  }

  admit(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const enter of held) enter();
  }

  /** Every message takes so many milliseconds longer, either way. */
  delay(milliseconds: number): void {
    this.#delayMs = milliseconds;
  }

  /** Nobody hears anything any more, though the connections stay. */
  fallSilent(): void {
    this.#silent = true;
  }

  /** Breaks all connections and refuses further ones, as a daemon that was killed. */
  vanish(): void {
    this.#gone = true;
    for (const { app, daemon } of this.#pairs) {
      app.terminate();
      daemon.terminate();
    }
  }

  /** The daemon is there again. */
  reappear(): void {
    this.#gone = false;
    this.#silent = false;
  }

  close(): void {
    this.vanish();
    this.#held = null;
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #forward(from: IncomingMessage, to: ServerResponse): void {
    if (this.#gone || this.#silent) {
      if (this.#gone) from.socket.destroy();
      return;
    }
    const path = from.url ?? "/";
    if (from.method === "POST" && MOVES.test(path)) this.#listener.onCommand(null, path, "");
    const { host } = new URL(this.#daemon);
    const onward = request(
      this.#daemon,
      { method: from.method, path, headers: { ...from.headers, host } },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    onward.on("error", () => to.destroy());
    from.pipe(onward);
  }

  #knock(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    if (this.#gone) return void socket.destroy();
    const pid = pidOf(request);
    this.#listener.onKnock(pid);
    const enter = () => this.#connect(request, socket, head, pid);
    if (this.#held === null) enter();
    else this.#held.push(enter);
  }

  #connect(request: IncomingMessage, socket: Duplex, head: Buffer, pid: number | null): void {
    if (socket.destroyed || this.#gone) return void socket.destroy();
    const kept = ["x-robot-client-pid", "authorization"].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    });
    const url = this.#daemon.replace("http", "ws") + (request.url ?? "/");
    const daemon = new WebSocket(url, { headers: Object.fromEntries(kept), perMessageDeflate: false });
    daemon.on("error", () => socket.destroy());
    // What the daemon says first must not be lost while the app's side of the connection is made.
    const early: string[] = [];
    const keep = (data: WebSocket.RawData) => early.push(String(data));
    daemon.on("message", keep);
    daemon.once("open", () => {
      this.#sockets.handleUpgrade(request, socket, head, (app) => {
        daemon.off("message", keep);
        this.#join(app, daemon, pid, request.url === "/ws/sdk");
        for (const text of early) this.#later(() => app.send(text));
      });
    });
  }

  #join(app: WebSocket, daemon: WebSocket, pid: number | null, isSdk: boolean): void {
    const pair = { app, daemon };
    this.#pairs.add(pair);
    if (isSdk) this.#listener.onConnect(pid);
    app.on("message", (data) => {
      const text = String(data);
      if (isSdk) this.#hear(pid, text);
      this.#later(() => daemon.send(text));
    });
    daemon.on("message", (data) => this.#later(() => app.send(String(data))));
    for (const [one, other] of [
      [app, daemon],
      [daemon, app],
    ] as const) {
      one.on("error", () => one.terminate());
      one.on("close", (code, reason) => {
        this.#pairs.delete(pair);
        // 1005 and 1006 stand for the lack of a code and cannot be sent.
        if (code >= 1000 && code !== 1005 && code !== 1006) other.close(code, reason);
        else other.close();
      });
    }
  }

  #hear(pid: number | null, text: string): void {
    const kind = /"type":\s*"(\w+)"/.exec(text)?.[1] ?? "unknown";
    if (!HARMLESS.has(kind)) this.#listener.onCommand(pid, kind, text);
  }

  #later(send: () => void): void {
    if (this.#silent) return;
    if (this.#delayMs === 0) send();
    else setTimeout(() => this.#silent || send(), this.#delayMs);
  }
}

function pidOf(request: IncomingMessage): number | null {
  const pid = Number(request.headers["x-robot-client-pid"]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
