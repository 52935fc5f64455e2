import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { clientKey, LOOPBACK } from "./client-key.ts";

/** How many connections the port takes. */
export interface ConnectionLimitValues {
  total: number;
  /** Connections of one address of the network. */
  perAddress: number;
  /** Connections of this machine; the rest of `total` is kept for the network. */
  loopback: number;
  /** Streams (WebSockets and server-sent events) of one address of the network. */
  streamsPerAddress: number;
  /** Streams of this machine; the rest of `loopback` is kept for requests. */
  loopbackStreams: number;
}

/** @param total connections; each group may have a share of them */
const sharesOf = (total: number): ConnectionLimitValues => ({
  total,
  perAddress: Math.ceil(total / 8),
  loopback: Math.ceil((7 * total) / 8),
  streamsPerAddress: Math.ceil(total / 16),
  loopbackStreams: Math.ceil((5 * total) / 8),
});

const [MAX_CONNECTIONS, MAX_PAGE_CONNECTIONS] = [1024, 256];
/** Open files that the daemon keeps for itself and its app. */
const OWN_FILES = 192;

/**
 * The limits of the daemon's port, and those of the ports of all apps' pages together, of which each connection has one to the
 * app beside it.
 * @param openFiles how many files and connections the process may have open
 */
export function connectionLimitsFor(openFiles: number): { port: ConnectionLimitValues; pages: ConnectionLimitValues } {
  const left = Math.max(16, openFiles - OWN_FILES);
  const port = Math.min(MAX_CONNECTIONS, Math.floor(left / 2));
  return { port: sharesOf(port), pages: sharesOf(Math.min(MAX_PAGE_CONNECTIONS, Math.floor((left - port) / 2))) };
}

/** A connection of the port. */
export interface Connection {
  readonly socket: Duplex;
  readonly address: string;
  /** Requests that are being answered. */
  requests: number;
  /** The last of them. */
  incoming: IncomingMessage | null;
  streams: number;
}

/**
 * Limits the connections of servers by address, so that no client takes the place of the others. A new connection
 * beyond a limit takes the place of the longest idle one, else of one that does not read its answer or does not send its request,
 * else, where requests only wait for somebody else, of the one that has waited for longest; else it is refused.
 */
export class ConnectionLimits {
  readonly #limits: ConnectionLimitValues;
  /** In the order in which they became idle, or were opened. */
  readonly #connections = new Map<Duplex, Connection>();
  /** Of each address with connections. */
  readonly #counts = new Map<string, { connections: number; streams: number }>();

  readonly #cutsWaiting: boolean;

  /** @param options.cutsWaiting whether requests only wait for somebody else: none of them is worth more than a new one */
  constructor(limits: ConnectionLimitValues, { cutsWaiting = false }: { cutsWaiting?: boolean } = {}) {
    this.#limits = limits;
    this.#cutsWaiting = cutsWaiting;
  }

  /** Counts the connections of a server, too. */
  watch(server: Server): void {
    server.on("connection", (socket: Socket) => this.#open(socket));
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#connections.get(request.socket);
      if (connection !== undefined) connection.incoming = request;
      this.#count(request.socket, "requests", response);
    });
  }

  /**
   * Counts a stream until it closes.
   * @param stream the response or the upgraded connection
   * @throws WorkbenchError `too-many-requests`
   */
  admitStream({ socket }: IncomingMessage, stream: Duplex | ServerResponse): void {
    const address = clientKey(socket);
    const { loopbackStreams, streamsPerAddress } = this.#limits;
    const limit = address === LOOPBACK ? loopbackStreams : streamsPerAddress;
    if ((this.#counts.get(address)?.streams ?? 0) >= limit)
      throw new WorkbenchError(
        "too-many-requests",
        `${limit} streams (WebSockets and server-sent events) of this address are open, the maximum; close some.`,
      );
    this.#count(socket, "streams", stream);
  }

  /** All connections. */
  open(): Iterable<Connection> {
    return this.#connections.values();
  }

  /** True while a request of the connection is being answered. */
  isAnswering(socket: Duplex): boolean {
    return (this.#connections.get(socket)?.requests ?? 0) > 0;
  }

  /** Closes all connections immediately. */
  destroyAll(): void {
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  #open(socket: Socket): void {
    // A connection that asked for an upgrade to another protocol is handed to the server again.
    if (this.#connections.has(socket)) return;
    const address = clientKey(socket);
    const { total, loopback, perAddress } = this.#limits;
    const limit = address === LOOPBACK ? loopback : perAddress;
    const isFull = (this.#counts.get(address)?.connections ?? 0) >= limit;
    if (isFull && !this.#closeIdle(this.#of(address))) return void socket.destroy();
    if (this.#connections.size >= total && !this.#closeIdle(this.#mostIdleGroup())) return void socket.destroy();
    this.#connections.set(socket, { socket, address, requests: 0, incoming: null, streams: 0 });
    this.#add(address, "connections", 1);
    socket.once("close", () => this.#remove(socket));
  }

  /** Counts a request or stream of a connection until `until` closes; the connection then begins to be idle. */
  #count(socket: Duplex, what: "requests" | "streams", until: Duplex | ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection[what] += 1;
    if (what === "streams") this.#add(connection.address, "streams", 1);
    until.once("close", () => {
      connection[what] -= 1;
      if (what === "streams") this.#add(connection.address, "streams", -1);
      if (!this.#connections.delete(socket)) return;
      this.#connections.set(socket, connection);
    });
  }

  #remove(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#connections.delete(socket);
    this.#add(connection.address, "connections", -1);
  }

  #add(address: string, what: "connections" | "streams", count: 1 | -1): void {
    const counts = this.#counts.get(address) ?? { connections: 0, streams: 0 };
    counts[what] += count;
    if (counts.connections === 0 && counts.streams === 0) this.#counts.delete(address);
    else this.#counts.set(address, counts);
  }

  #of(address: string): Connection[] {
    return [...this.#connections.values()].filter((connection) => connection.address === address);
  }

  /** Returns the connections that may be closed of the address that has the most of them. */
  #mostIdleGroup(): Connection[] {
    const groups = new Map<string, Connection[]>();
    const mayClose = (each: Connection) => isIdle(each) || isUnsent(each) || (this.#cutsWaiting && isWaiting(each));
    for (const connection of this.#connections.values())
      if (mayClose(connection)) groups.set(connection.address, [...(groups.get(connection.address) ?? []), connection]);
    return [...groups.values()].sort((one, other) => other.length - one.length)[0] ?? [];
  }

  /** Closes the longest idle connection, or another one that may be closed; false when there is none. */
  #closeIdle(connections: readonly Connection[]): boolean {
    const idle =
      connections.find(isIdle) ??
      connections.find(isUnread) ??
      connections.find(isUnsent) ??
      (this.#cutsWaiting ? connections.find(isWaiting) : undefined);
    if (idle === undefined) return false;
    this.#remove(idle.socket);
    idle.socket.destroy();
    return true;
  }
}

const isUnread = ({ socket, streams }: Connection): boolean => streams === 0 && socket.writableLength > 0;
/** Its request has not come as a whole. */
const isUnsent = ({ incoming, streams }: Connection): boolean => streams === 0 && incoming?.complete === false;
const isWaiting = ({ streams }: Connection): boolean => streams === 0;
const isIdle = ({ requests, streams }: Connection): boolean => requests === 0 && streams === 0;
