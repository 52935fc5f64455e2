import type { Duplex } from "node:stream";

/** Answers a request for a WebSocket with a status and a sentence, and closes its connection. */
export function refuseUpgrade(socket: Duplex, status: number, text: string): void {
  const answer = `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}\n`;
  socket.end(answer, () => socket.destroy());
}
