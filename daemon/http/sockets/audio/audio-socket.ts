import type { Clock } from "../../../../common/time/clock.ts";
import type { AudioServerMessage, AudioStatus } from "../../../../robot/wire/audio/audio-messages.ts";
import type { Audio } from "../../../audio/audio.ts";
import { type WebSocketClient, WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import { AudioSession, SPEAKER_CAPACITY } from "./audio-session.ts";

/** Two seconds of samples. */
const MAX_MESSAGE_BYTES = 64_000;

/** `/ws/audio`: samples to the speaker and from the microphone; each client has a session. */
export class AudioSocket {
  readonly endpoint: WebSocketEndpoint;
  readonly #audio: Audio;
  readonly #sessions = new Map<WebSocketClient, AudioSession>();
  readonly #unsubscribe: () => void;

  constructor(audio: Audio, clock: Clock) {
    this.#audio = audio;
    this.endpoint = new WebSocketEndpoint({
      clock,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      onConnect: (client) => this.#connect(client),
      onMessage: (client, data, isBinary) => this.#sessions.get(client)?.receive(data, isBinary),
    });
    this.#unsubscribe = audio.onChange((status) => {
      const text = JSON.stringify(statusMessage(status));
      for (const { queue } of this.endpoint.clients) queue.sendNewest("status", text);
    });
  }

  close(): void {
    this.#unsubscribe();
    this.endpoint.close();
  }

  #connect(client: WebSocketClient): void {
    const { queue, scope } = client;
    const session = new AudioSession({
      audio: this.#audio,
      scope,
      send: (message) => queue.send(JSON.stringify(message)),
      sendSamples: (message) => queue.sendOrDrop(message),
    });
    this.#sessions.set(client, session);
    scope.add(() => this.#sessions.delete(client));
    queue.sendNewest("status", JSON.stringify(statusMessage(this.#audio.status())));
  }
}

const statusMessage = (status: AudioStatus): AudioServerMessage => ({
  type: "status",
  room: SPEAKER_CAPACITY,
  ...status,
});
