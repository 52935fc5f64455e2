import { OutgoingQueue } from "../../daemon/http/connections/outgoing-queue.ts";
import { Scope } from "../../daemon/http/connections/scope.ts";
import type { SdkSocket } from "../../daemon/http/sockets/sdk/sdk-socket.ts";
import { between, type ProcessClock } from "./clocks.ts";
import type { World } from "./world.ts";

/** A program that connects to the SDK socket. */
export interface SdkClient {
  pid: number;
  /** Whether it reads what it is sent. */
  reads: boolean;
  /** The daemon has closed the connection. */
  onClose(): void;
}

/** Milliseconds from the sending of a message to its arrival: shortest and longest. */
const DELAY_MS = [0.05, 3] as const;
/** The most messages of one client that may be unanswered, as in `web-socket-endpoint.ts`. */
const MAX_UNANSWERED = 32;

/** A connection over loopback to a daemon: messages keep their order and take time. */
export class LoopbackConnection {
  /** Bytes to the client that it has not read. */
  buffered = 0;
  readonly #sdk: SdkSocket;
  readonly #daemon: ProcessClock;
  readonly #world: World;
  readonly #client: Parameters<SdkSocket["connect"]>[0];
  readonly #unread: (() => void)[] = [];
  #isReading = false;
  #unanswered = 0;
  readonly #waiting: string[] = [];
  #lastArrival = 0;
  #isClosed = false;

  constructor(client: SdkClient, sdk: SdkSocket, daemon: ProcessClock, world: World) {
    this.#sdk = sdk;
    this.#daemon = daemon;
    this.#world = world;
    const queue = new OutgoingQueue({
      send: (message, onTaken) => this.#toClient(message.length, onTaken, client),
      close: () => {
        this.close();
        client.onClose();
      },
      get bufferedBytes() {
        return connection.buffered;
      },
    });
    const connection = this;
    const headers = { "x-robot-client-pid": String(client.pid), "user-agent": "robot-sdk/0" };
    this.#client = { request: { headers, url: "/ws/sdk" }, queue, scope: new Scope() };
    sdk.connect(this.#client);
  }

  send(text: string): void {
    this.#lastArrival = Math.max(this.#lastArrival, this.#daemon.now() + between(this.#world.random, DELAY_MS));
    this.#daemon.at(this.#lastArrival, () => {
      this.#waiting.push(text);
      this.#receiveNext();
    });
  }

  /** Closes the connection from the client's side. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#daemon.after(between(this.#world.random, DELAY_MS), () => this.#client.scope.close());
  }

  #receiveNext(): void {
    while (!this.#isClosed && this.#unanswered < MAX_UNANSWERED) {
      const text = this.#waiting.shift();
      if (text === undefined) return;
      const answer = this.#sdk.receive(this.#client, text);
      if (answer === undefined) continue;
      this.#unanswered += 1;
      const answered = (): void => {
        this.#unanswered -= 1;
        this.#receiveNext();
      };
      answer.then(answered, answered);
    }
  }

  #toClient(bytes: number, onTaken: () => void, { reads }: SdkClient): void {
    this.buffered += bytes;
    const { mostWaiting } = this.#world;
    mostWaiting.bytes = Math.max(mostWaiting.bytes, this.buffered);
    this.#unread.push(onTaken);
    if (!reads || this.#isReading) return;
    this.#isReading = true;
    this.#daemon.after(between(this.#world.random, DELAY_MS), () => {
      this.#isReading = false;
      this.buffered = 0;
      for (const taken of this.#unread.splice(0)) taken();
    });
  }
}
