import type { ObjectsFrame } from "../../../robot/wire/scene/scene-frame.ts";

/** The socket of the objects on a simulated robot's table, open while the page shows them. */
export class SceneSocket {
  readonly #openSocket: () => WebSocket;
  readonly #receive: (frame: ObjectsFrame) => void;
  #socket: WebSocket | undefined;

  constructor(openSocket: () => WebSocket, receive: (frame: ObjectsFrame) => void) {
    this.#openSocket = openSocket;
    this.#receive = receive;
  }

  setOpen(open: boolean): void {
    if (open === (this.#socket !== undefined)) return;
    if (!open) {
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
