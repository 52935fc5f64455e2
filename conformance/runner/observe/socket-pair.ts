import { setTimeout as delay } from "node:timers/promises";
import type WebSocket from "ws";

/** Calls functions in the order in which they are added, each after a delay of its own. */
export class DelayedQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Calls `action` after `delayMs`, and after those that wait; at once when that is 0 and none waits. */
  add(delayMs: number, action: () => void): void {
    if (delayMs === 0 && this.#waiting === 0) {
      action();
      return;
    }
    this.#waiting += 1;
    this.#last = Promise.all([this.#last, delay(delayMs)]).then(() => {
      this.#waiting -= 1;
      action();
    });
  }
}

interface SocketPairOptions {
  /** Milliseconds by which messages are delayed now. */
  delayMs(): number;
  /** Is called with each message of the app, before it is passed on. */
  onAppMessage(data: WebSocket.RawData, binary: boolean): void;
  /** Is called when one of the two sockets has closed. */
  onClose(): void;
}

/** A socket of an app and the one of the daemon that it stands for. Messages pass unchanged, in order, in both directions. */
export class SocketPair {
  readonly #app: WebSocket;
  readonly #daemon: WebSocket;
  readonly #options: SocketPairOptions;
  readonly #toApp = new DelayedQueue();
  readonly #toDaemon = new DelayedQueue();
  #silent = false;

  constructor(app: WebSocket, daemon: WebSocket, options: SocketPairOptions) {
    this.#app = app;
    this.#daemon = daemon;
    this.#options = options;
    app.on("message", (data, binary) => {
      options.onAppMessage(data, binary);
      this.#pass(this.#toDaemon, () => daemon.send(data, { binary }));
    });
    daemon.on("message", (data, binary) => this.#pass(this.#toApp, () => app.send(data, { binary })));
    this.#passClose(app, daemon, this.#toDaemon);
    this.#passClose(daemon, app, this.#toApp);
  }

  /** Lets nothing pass any more, in either direction. The sockets stay open. */
  goSilent(): void {
    this.#silent = true;
  }

  terminate(): void {
    this.#app.terminate();
    this.#daemon.terminate();
  }

  #pass(queue: DelayedQueue, send: () => void): void {
    if (!this.#silent) queue.add(this.#options.delayMs(), () => this.#silent || send());
  }

  #passClose(one: WebSocket, other: WebSocket, queue: DelayedQueue): void {
    one.on("error", () => one.terminate());
    one.on("close", (code, reason) => {
      this.#options.onClose();
      // 1005 and 1006 mean that there was no code; they cannot be sent.
      const close = () => (code >= 1000 && code !== 1005 && code !== 1006 ? other.close(code, reason) : other.close());
      // After the messages that are on their way.
      if (this.#silent) close();
      else queue.add(this.#options.delayMs(), close);
    });
  }
}
