import type { Clock } from "../../../../common/time/clock.ts";
import type { AudioServerMessage, AudioStatus } from "../../../../robot/wire/audio/audio-messages.ts";
import type { Audio } from "../../../audio/audio.ts";
import { type WebSocketClient, WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import { AudioSession, SPEAKER_CAPACITY } from "./audio-session.ts";

/** Two seconds of samples. */
const MAX_MESSAGE_BYTES = 64_000;

/** `/ws/audio`: samples to the speaker and from the microphone; each client has a session. */
export function audioSocket(audio: Audio, clock: Clock): WebSocketEndpoint {
  const sessions = new Map<WebSocketClient, AudioSession>();
  const endpoint = new WebSocketEndpoint({
    clock,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    onConnect: (client) => {
      const { queue, scope } = client;
      const session = new AudioSession({
        audio,
        scope,
        send: (message) => queue.send(JSON.stringify(message)),
        sendSamples: (message) => queue.sendOrDrop(message),
      });
      sessions.set(client, session);
      scope.add(() => sessions.delete(client));
      queue.sendNewest("status", JSON.stringify(statusMessage(audio.status())));
    },
    onMessage: (client, data, isBinary) => sessions.get(client)?.receive(data, isBinary),
  });
  endpoint.scope.add(audio.onChange((status) => endpoint.sendNewest("status", JSON.stringify(statusMessage(status)))));
  return endpoint;
}

const statusMessage = (status: AudioStatus): AudioServerMessage => ({
  type: "status",
  room: SPEAKER_CAPACITY,
  ...status,
});
