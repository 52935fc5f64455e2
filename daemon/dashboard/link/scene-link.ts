import type { ObjectsFrame } from "../../../robot/wire/objects-frame.ts";

/** The socket of the objects on a simulated robot's table, open for as long as somebody wants to see them. */
export class SceneLink {
  readonly #openSocket: () => WebSocket;
  readonly #receive: (frame: ObjectsFrame) => void;
  #socket: WebSocket | undefined;

  constructor(openSocket: () => WebSocket, receive: (frame: ObjectsFrame) => void) {
    this.#openSocket = openSocket;
    this.#receive = receive;
  }

  /** Opens or closes the socket; the link to the daemon, which comes and goes, decides when. */
  want(wanted: boolean): void {
    if (wanted === (this.#socket !== undefined)) return;
    if (!wanted) {
      this.#socket?.close();
      this.#socket = undefined;
      return;
    }
    const socket = this.#openSocket();
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#receive(JSON.parse(String(data)) as ObjectsFrame);
    };
  }
}
