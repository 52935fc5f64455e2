import { type WebSocket, WebSocketServer } from "ws";
import type { AudioServerMessage, AudioStatus } from "../../robot/wire/audio-messages.ts";
import type { Audio } from "../audio/audio.ts";
import { AudioSession, SPEAKER_ROOM } from "./audio-session.ts";

/** Two seconds of samples. */
const MAX_MESSAGE_BYTES = 64_000;
/** A client that is this far behind (bytes, two seconds) misses samples until it has caught up. */
const MAX_BACKLOG = 64_000;
/** One that does not even read the little that it is told is cut off. */
const MAX_DEAF = 1_000_000;

/** `/ws/audio`: samples to the speaker and from the microphone, a session for each client. */
export class AudioSocket {
  readonly server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  readonly #unsubscribe: () => void;

  constructor(audio: Audio) {
    this.server.on("connection", (socket: WebSocket) => connect(socket, audio));
    this.#unsubscribe = audio.onChange((status) => {
      for (const socket of this.server.clients) tell(socket, statusMessage(status));
    });
  }

  close(): void {
    this.#unsubscribe();
    for (const socket of this.server.clients) socket.close(1001, "the daemon is shutting down");
    this.server.close();
  }
}

function connect(socket: WebSocket, audio: Audio): void {
  const session = new AudioSession(audio, {
    tell: (message) => tell(socket, message),
    pass: (message) => {
      if (socket.bufferedAmount < MAX_BACKLOG) socket.send(message);
    },
  });
  socket.binaryType = "nodebuffer";
  socket.on("message", (data: Buffer, isBinary) => session.receive(data, isBinary));
  socket.on("close", () => session.close());
  socket.on("error", () => socket.terminate());
  tell(socket, statusMessage(audio.status()));
}

function tell(socket: WebSocket, message: AudioServerMessage): void {
  if (socket.bufferedAmount > MAX_DEAF) socket.terminate();
  else socket.send(JSON.stringify(message));
}

const statusMessage = (status: AudioStatus): AudioServerMessage => ({ type: "status", room: SPEAKER_ROOM, ...status });
