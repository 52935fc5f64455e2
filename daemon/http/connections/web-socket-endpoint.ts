import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { BoundedQueue, SharedBudget, TurnBudget } from "../../../common/bounded.ts";
import type { Clock } from "../../../common/time/clock.ts";
import { problemOf } from "../../../robot/wire/errors.ts";
import { clientKey, LOOPBACK } from "./client-key.ts";
import { OutgoingQueue } from "./outgoing-queue.ts";
import { noteSwitched } from "./refuse-upgrade.ts";
import { Scope, scopeOf } from "./scope.ts";

/** A client that does not answer the closing handshake is cut off after this time, milliseconds. */
const CLOSE_TIMEOUT_MS = 1000;
/** Messages of all clients in a turn of the event loop: each is a unit, and one more for each of so many bytes. */
const [UNITS_PER_TURN, BYTES_PER_UNIT] = [256, 1000];
const TURN = new TurnBudget(UNITS_PER_TURN);
/** What waits for its turn: of a client that is not read, the rest of a piece that was read already; and of all clients. */
const INBOX = { pieces: 4096, bytes: 1_000_000 };
const ALL_INBOXES = new SharedBudget({ pieces: 200_000, bytes: 40_000_000 });
/** Messages of one client that may be unanswered at a time. */
const MAX_UNANSWERED = 32;
/** Pieces that a message, and one piece of it, may come in; each of them takes more memory than its bytes. */
const [MAX_FRAGMENTS, MAX_CHUNKS] = [256, 1024];
/** Pongs are left out while more bytes than this are buffered. */
const MAX_PONG_BACKLOG = 64_000;
/** Close codes; RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const SERVER_ERROR = 1011;
/** Of a closing frame; RFC 6455, section 5.5. Two are left for a character that is cut. */
const MAX_REASON_BYTES = 121;

/** One client of an endpoint. */
export interface WebSocketClient {
  /** The request that opened the connection. */
  readonly request: Pick<IncomingMessage, "headers" | "url">;
  /** Its port, when it is on this machine. */
  readonly port?: number | undefined;
  readonly queue: OutgoingQueue;
  /** Closes with the connection. */
  readonly scope: Scope;
}

export interface EndpointOptions {
  clock: Clock;
  /** A longer message closes its connection. */
  maxMessageBytes: number;
  /** Before the opening handshake. @throws WorkbenchError why the request is refused */
  checkRequest?(request: Pick<IncomingMessage, "url">): void;
  onConnect(client: WebSocketClient): void;
  /**
   * Gets each message of an open connection. A promise counts as unanswered until it settles; a client with too many
   * unanswered messages is not read.
   */
  onMessage?(client: WebSocketClient, data: Buffer, isBinary: boolean): Promise<void> | undefined;
}

/** A WebSocket address: accepts clients, reads them in turns, and sends to each through a bounded queue. */
export class WebSocketEndpoint {
  /** Closes with the endpoint; has the subscriptions to what it sends. */
  readonly scope = new Scope();
  readonly #server: WebSocketServer;
  readonly #options: EndpointOptions;
  readonly #clients = new Set<WebSocketClient & { socket: WebSocket }>();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: options.maxMessageBytes,
      maxFragments: MAX_FRAGMENTS,
      maxBufferedChunks: MAX_CHUNKS,
      autoPong: false,
      // One message of a client in each turn: a piece of 64 KB may have ten thousand.
      allowSynchronousEvents: false,
    });
    this.#server.on("headers", (_, request: IncomingMessage) => noteSwitched(request.socket));
  }

  get clients(): ReadonlySet<WebSocketClient> {
    return this.#clients;
  }

  /** Completes the opening handshake of an upgrade request. @throws WorkbenchError why it is refused */
  accept(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    this.#options.checkRequest?.(request);
    this.#server.handleUpgrade(request, connection, head, (socket) => this.#add(socket, request, connection));
  }

  /** Sends the newest message of a name to all clients. */
  sendNewest(name: string, message: string): void {
    for (const { queue } of this.#clients) queue.sendNewest(name, message);
  }

  /** Closes all connections, within a second whatever the clients do. */
  close(): void {
    this.scope.close();
    for (const { socket, scope } of this.#clients) this.#end(socket, scope, GOING_AWAY, "the daemon is shutting down");
    this.#server.close();
  }

  #add(socket: WebSocket, request: IncomingMessage, connection: Duplex): void {
    const scope = scopeOf(connection);
    const queue = new OutgoingQueue({
      get bufferedBytes() {
        return socket.bufferedAmount;
      },
      send: (message, onTaken) => {
        gatherWrites(connection);
        socket.send(message, onTaken);
      },
      close: (reason) => this.#end(socket, scope, POLICY_VIOLATION, reason),
    });
    const port = clientKey(request.socket) === LOOPBACK ? request.socket.remotePort : undefined;
    const client = { request, port, queue, scope, socket };
    this.#clients.add(client);
    scope.add(() => this.#clients.delete(client));
    socket.binaryType = "nodebuffer";
    socket.on("error", () => socket.terminate());
    answerPings(socket);
    readInTurns(socket, (data, isBinary) => this.#options.onMessage?.(client, data, isBinary));
    try {
      this.#options.onConnect(client);
    } catch (error) {
      const { code, detail } = problemOf(error);
      this.#end(socket, scope, code === "internal" ? SERVER_ERROR : POLICY_VIOLATION, detail);
    }
  }

  #end(socket: WebSocket, scope: Scope, code: number, reason: string): void {
    socket.close(
      code,
      Buffer.from(reason)
        .subarray(0, MAX_REASON_BYTES)
        .toString()
        .replace(/\ufffd$/, ""),
    );
    scope.after(this.#options.clock, CLOSE_TIMEOUT_MS, () => socket.terminate());
  }
}

/** Writes what is sent in one task with one system call: client and daemon wake up once for the messages of one state. */
function gatherWrites(connection: Duplex): void {
  if (connection.writableCorked > 0) return;
  connection.cork();
  queueMicrotask(() => connection.uncork());
}

/** Answers pings (RFC 6455, section 5.5.2), unless the client does not read its pongs. */
function answerPings(socket: WebSocket): void {
  socket.on("ping", (data: Buffer) => {
    if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_PONG_BACKLOG) socket.pong(data);
  });
}

/**
 * Hands over the messages of an open socket, each in a turn of the event loop that has room for it, and none while too many are
 * unanswered. What is not handed over waits here while the socket is not read; a client that sends on is disconnected.
 */
function readInTurns(
  socket: WebSocket,
  onMessage: (data: Buffer, isBinary: boolean) => Promise<void> | undefined,
): void {
  const inbox = new BoundedQueue<[data: Buffer, isBinary: boolean]>(INBOX, ALL_INBOXES);
  let isWaiting = false;
  let unanswered = 0;
  const handOver = (): void => {
    while (socket.readyState === WebSocket.OPEN && unanswered < MAX_UNANSWERED && !isWaiting) {
      const next = inbox.shift();
      if (next === undefined) break;
      const units = 1 + next[0].length / BYTES_PER_UNIT;
      if (TURN.take(units)) answer(...next);
      else {
        isWaiting = true;
        TURN.whenTaken(units, () => {
          isWaiting = false;
          if (socket.readyState === WebSocket.OPEN) answer(...next);
          handOver();
        });
      }
    }
    const mayRead = !isWaiting && inbox.length === 0 && unanswered < MAX_UNANSWERED;
    if (mayRead && socket.isPaused) socket.resume();
    if (!mayRead && !socket.isPaused) socket.pause();
  };
  const answer = (data: Buffer, isBinary: boolean): void => {
    const answered = onMessage(data, isBinary);
    if (answered === undefined) return;
    unanswered += 1;
    const settle = (): void => {
      unanswered -= 1;
      handOver();
    };
    answered.then(settle, settle);
  };
  socket.on("close", () => inbox.takeAll());
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (inbox.push([data, isBinary], data.length)) handOver();
    else socket.close(POLICY_VIOLATION, "more messages than are answered");
  });
}
