// Control frames cost the event loop as messages do, also where nothing is asked for.
import type { Attack } from "../../attack.ts";
import { reportWatch, sleep, watchDaemon } from "../../attack-tools.ts";

const SOCKETS = 20;
/** Bytes that wait on one connection at most, so that the attack itself takes no memory without end. */
const AHEAD = 2_000_000;
const FRAME = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
const FRAMES = Buffer.concat(Array(500).fill(FRAME));

export default {
  title: `${SOCKETS} sockets of apps and as many of the state send pings without a pause`,
  async run({ daemon, seconds, row }) {
    for (const path of ["/ws/sdk", "/ws/state"]) {
      const stopWatching = await watchDaemon(daemon);
      const sockets = [];
      for (let i = 0; i < SOCKETS; i += 1) sockets.push(await daemon.socket(path));
      // @ts-expect-error the connection below the socket, for frames that nobody reads the answers to
      const connections = sockets.map((socket) => socket.on("error", () => {})._socket.pause());
      for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(1))
        for (const connection of connections)
          if (!connection.destroyed && connection.writableLength < AHEAD) connection.write(FRAMES);
      reportWatch(row, await stopWatching());
      for (const socket of sockets) socket.terminate();
    }
  },
} satisfies Attack;
