import type { Duplex } from "node:stream";

/** Connections that speak another protocol by now. */
const switched = new WeakSet<Duplex>();

/** Notes that the answer 101 is on its way: from here on the connection takes no other answer. */
export const noteSwitched = (socket: Duplex): unknown => switched.add(socket);

/**
 * Answers a request for a WebSocket with a status and a sentence, and closes its connection; one that speaks the other protocol
 * already is only closed.
 */
export function refuseUpgrade(socket: Duplex, status: number, text: string): void {
  if (switched.has(socket)) return void socket.destroy();
  const answer = `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}\n`;
  socket.end(answer, () => socket.destroy());
}
