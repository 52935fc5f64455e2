import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import WebSocket, { WebSocketServer } from "ws";
import { dialectOfClient } from "../../../robot/dialects/dialects.ts";
import { authorization } from "../daemon/daemon-handle.ts";
import { SocketPair } from "./socket-pair.ts";
import { type Client, type ReportListener, reportMessage, reportRequest, SDK_PATH } from "./tap-reports.ts";
import { endToEndHeaders, isOriginForm, pidOf, routeOf } from "./tapped-requests.ts";

/** Is called for what passes through the tap. */
export interface TapListener extends ReportListener {
  /**
   * A client of the SDK socket is connected to the daemon. `pid` is the process id that it sends; null without one.
   * `connection` is the number that its commands have.
   */
  onConnect(pid: number | null, connection: number): void;
  /** The client has closed its SDK socket, or its process has ended; or the tap has closed it. */
  onDisconnect(pid: number | null, connection: number, byTap: boolean): void;
  /** A client asks for a socket. */
  onConnectAttempt(pid: number | null): void;
}

const NOT_ORIGIN_FORM =
  "The path of a request begins with / and has no # and no \\; write the host in the Host header.";
/**
 * A proxy between an app and its daemon. The app is given the tap's address for the daemon's. The tap passes every
 * message and every body unchanged, reports what the app sends, and can act as a daemon that is slow, silent or
 * unreachable.
 */
export class SdkTap {
  /** Translates the process id that a client sends, which may be that of its sandbox, into the one that the daemon knows. */
  translatePid: (pid: number) => number = (pid) => pid;
  readonly #listener: () => TapListener | null;
  readonly #server = createServer((request, response) => this.#forward(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #pairs = new Set<SocketPair>();
  /** Sockets of apps to which the daemon has not answered yet. */
  readonly #upgrades = new Set<Duplex>();
  /** Number of the latest connection. */
  #connections = 0;
  #daemon = "";
  /** What the tap adds to each request, so that the daemon accepts it. */
  #authorization: Record<string, string> = {};
  #delayMs = 0;
  #unreachable = false;
  #silent = false;
  #waiting: (() => void)[] | null = null;

  /** @param listener what is told of a message when it passes; null: nobody is */
  constructor(listener: () => TapListener | null) {
    this.#listener = listener;
    this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /**
   * Listens on 127.0.0.1; returns its address.
   * @param port 0 for a free one
   * @throws Error when the port is taken
   */
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

  /** Delays every socket message, in both directions; 0 delays none. */
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
    for (const pair of this.#pairs) pair.goSilent();
  }

  /** Closes all connections and refuses new ones, as a daemon that was killed does. */
  dropConnections(): void {
    this.#unreachable = true;
    for (const pair of this.#pairs) pair.terminate();
    for (const socket of this.#upgrades) socket.destroy();
    this.#server.closeAllConnections();
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
    if (!isOriginForm(path)) return void to.writeHead(400).end(`${NOT_ORIGIN_FORM}\n`);
    const route = routeOf(path);
    reportRequest(this.#listener, from, route);
    const { host } = new URL(this.#daemon);
    const forwarded = request(
      this.#daemon,
      { method: from.method, path, headers: { ...from.headers, ...this.#authorization, host } },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        // Cuts the app's answer off where the daemon's is cut off.
        pipeline(answer, to, () => {});
      },
    );
    forwarded.on("error", () => to.destroy());
    // An app that ends leaves no stream open, of pictures for example.
    to.once("close", () => forwarded.destroy());
    from.pipe(forwarded);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    if (this.#unreachable || !isOriginForm(request.url ?? "/")) return void socket.destroy();
    this.#upgrades.add(socket);
    socket.once("close", () => this.#upgrades.delete(socket));
    const sent = pidOf(request);
    const pid = sent === null ? null : this.translatePid(sent);
    this.#listener()?.onConnectAttempt(pid);
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
    // An app that ends before the daemon has answered. Only a socket that is read reports its end; clients send nothing yet.
    const giveUp = () => daemon.terminate();
    socket.once("end", giveUp).once("close", giveUp).resume();
    // Messages of the daemon that arrive before the app's side is open are kept.
    const early: [WebSocket.RawData, boolean][] = [];
    const keep = (data: WebSocket.RawData, binary: boolean) => early.push([data, binary]);
    daemon.on("message", keep);
    daemon.once("open", () => {
      socket.off("end", giveUp).off("close", giveUp);
      this.#upgrades.delete(socket);
      if (socket.destroyed) return daemon.terminate();
      this.#sockets.handleUpgrade(request, socket, head, (app) => {
        daemon.off("message", keep);
        this.#connections += 1;
        const { publicProtocol } = dialectOfClient(request.headers);
        const client = { pid, connection: this.#connections, isPublic: publicProtocol };
        this.#join(app, daemon, client, routeOf(request.url ?? ""));
        for (const [data, binary] of early) app.send(data, { binary });
      });
    });
  }

  #join(app: WebSocket, daemon: WebSocket, client: Client, route: string): void {
    const isSdk = route === SDK_PATH;
    if (isSdk) {
      this.#listener()?.onConnect(client.pid, client.connection);
      app.once("close", () => this.#listener()?.onDisconnect(client.pid, client.connection, this.#unreachable));
    }
    const pair = new SocketPair(app, daemon, {
      delayMs: () => this.#delayMs,
      onAppMessage: (data, binary) => reportMessage(this.#listener, { route, client }, data, binary),
      onClose: () => this.#pairs.delete(pair),
    });
    if (this.#silent) pair.goSilent();
    this.#pairs.add(pair);
  }

  /** Whether no client is connected and the tap delays, holds and drops nothing. */
  get isIdle(): boolean {
    const passes = this.#delayMs === 0 && !this.#unreachable && !this.#silent && this.#waiting === null;
    return passes && this.#pairs.size === 0 && this.#upgrades.size === 0;
  }
}
