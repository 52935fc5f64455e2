import { decodeAudio, encodeAudio } from "../../../robot/wire/audio/audio-frames.ts";
import type { AudioClientMessage, AudioServerMessage } from "../../../robot/wire/audio/audio-messages.ts";

interface AudioSocketListeners {
  /** The socket is open; what was requested on the previous one has to be requested again. */
  opened(): void;
  message(message: AudioServerMessage): void;
  /** Samples that the robot's speaker plays. */
  speaker(samples: Int16Array): void;
}

/** Milliseconds until a lost socket is opened again. */
const RETRY_DELAY = 1000;

/** The audio socket, open while the page is connected to the daemon. */
export class AudioSocket {
  readonly #openSocket: () => WebSocket;
  readonly #listeners: AudioSocketListeners;
  #socket: WebSocket | undefined;

  constructor(openSocket: () => WebSocket, listeners: AudioSocketListeners) {
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

  #open(): void {
    const socket = this.#openSocket();
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      setTimeout(() => this.#socket === socket && this.#open(), RETRY_DELAY);
    };
    socket.onopen = () => this.#socket === socket && this.#listeners.opened();
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      if (typeof data === "string") this.#listeners.message(JSON.parse(data) as AudioServerMessage);
      else this.#listeners.speaker(decodeAudio(new Uint8Array(data)).samples);
    };
  }

  send(message: AudioClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Sends samples of this machine's microphone to the robot. */
  sendMicrophone(samples: Int16Array): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(encodeAudio("microphone", samples));
  }
}
