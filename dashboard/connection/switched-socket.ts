interface Listeners {
  /** The socket is open; what was requested on the previous one has to be requested again. */
  opened?(): void;
  message(data: string | ArrayBuffer): void;
}

/** Milliseconds until a lost socket is opened again. */
const RETRY_DELAY = 1000;

/** A socket that is open while the page wants it. */
export class SwitchedSocket {
  readonly #openSocket: () => WebSocket;
  readonly #listeners: Listeners;
  #socket: WebSocket | undefined;

  constructor(openSocket: () => WebSocket, listeners: Listeners) {
    this.#openSocket = openSocket;
    this.#listeners = listeners;
  }

  setOpen(open: boolean): void {
    if (open === (this.#socket !== undefined)) return;
    if (open) {
      this.#open();
      return;
    }
    this.#socket?.close();
    this.#socket = undefined;
  }

  /** Sends when the socket is open. */
  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  #open(): void {
    const socket = this.#openSocket();
    const isCurrent = () => this.#socket === socket;
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onclose = () => {
      if (isCurrent()) setTimeout(() => isCurrent() && this.#open(), RETRY_DELAY);
    };
    socket.onopen = () => isCurrent() && this.#listeners.opened?.();
    socket.onmessage = ({ data }) => isCurrent() && this.#listeners.message(data);
  }
}
