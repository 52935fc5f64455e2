import { decodeAudio, encodeAudio } from "../../../robot/wire/audio-frames.ts";
import type { AudioClientMessage, AudioServerMessage } from "../../../robot/wire/audio-messages.ts";

export interface AudioListeners {
  /** The socket stands; what was asked of the one before has to be asked again. */
  opened(): void;
  told(message: AudioServerMessage): void;
  /** What the speaker plays. */
  played(samples: Int16Array): void;
}

/** Milliseconds until a socket that was lost alone is opened again. */
const PAUSE = 1000;

/** The audio socket, open for as long as the daemon is there. */
export class AudioLink {
  readonly #openSocket: () => WebSocket;
  readonly #listeners: AudioListeners;
  #socket: WebSocket | undefined;

  constructor(openSocket: () => WebSocket, listeners: AudioListeners) {
    this.#openSocket = openSocket;
    this.#listeners = listeners;
  }

  /** Opens or closes the socket; the link to the daemon, which comes and goes, decides when. */
  want(wanted: boolean): void {
    if (wanted === (this.#socket !== undefined)) return;
    if (wanted) {
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
      setTimeout(() => this.#socket === socket && this.#open(), PAUSE);
    };
    socket.onopen = () => this.#socket === socket && this.#listeners.opened();
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      if (typeof data === "string") this.#listeners.told(JSON.parse(data) as AudioServerMessage);
      else this.#listeners.played(decodeAudio(new Uint8Array(data)).samples);
    };
  }

  say(message: AudioClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Passes on what a lent microphone hears. */
  hear(samples: Int16Array): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(encodeAudio("microphone", samples));
  }
}
