// A message in pieces is bounded as one in one piece, by its bytes and by its pieces.
import type { Attack } from "../../attack.ts";
import { reportWatch, sleep, watchDaemon } from "../../attack-tools.ts";

const SOCKETS = 100;
/** A frame of one byte that does not end its message, masked with zeros (RFC 6455, section 5.2). */
const frame = (opcode: number) => Buffer.from([opcode, 0x81, 0, 0, 0, 0, 0x20]);
const FIRST = frame(0x01);
const NEXT = frame(0x00);

export default {
  title: `${SOCKETS} messages in 60,000 pieces each, which do not end`,
  async run({ daemon, row }) {
    const stopWatching = await watchDaemon(daemon);
    const pieces = Buffer.concat([FIRST, ...Array(60_000).fill(NEXT)]);
    const sockets = [];
    for (let i = 0; i < SOCKETS; i += 1) sockets.push(await daemon.socket("/ws/sdk"));
    // @ts-expect-error the connection below the socket, for frames that a client does not send
    for (const socket of sockets) socket.on("error", () => {})._socket.write(pieces);
    await sleep(10_000);
    const open = sockets.filter((socket) => socket.readyState === socket.OPEN).length;
    row("connections that are still open", open, "0", open === 0);
    reportWatch(row, await stopWatching());
    for (const socket of sockets) socket.terminate();
  },
} satisfies Attack;
