// A client counts what it sent and what was played; samples that the daemon drops must not be lost in between.
import type { Attack } from "../../attack.ts";
import { sleep } from "../../attack-tools.ts";

/** Samples of one second. */
const SECOND = 16_000;
/** Track 0 is the speaker; the second byte is always 0. */
const SPEAKER_HEADER = Buffer.from([0, 0]);
const SILENCE = Buffer.alloc(2 * SECOND);

export default {
  title: "more samples than the speaker's queue holds",
  async run({ daemon, row }) {
    const socket = await daemon.socket("/ws/audio");
    let played = 0;
    socket.on("message", (data, isBinary) => {
      const message = isBinary ? {} : JSON.parse(String(data));
      if (message.type === "played") played += message.samples;
    });
    const total = 15 * SECOND;
    for (let second = 0; second < 15; second += 1) socket.send(Buffer.concat([SPEAKER_HEADER, SILENCE]));
    socket.send('{"type":"drop","track":"speaker"}');
    const end = performance.now() + 5000;
    while (played < total && performance.now() < end) await sleep(20);
    row("samples that count as played", played, `${total}`, played === total);
    socket.terminate();
  },
} satisfies Attack;
