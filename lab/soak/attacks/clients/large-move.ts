// A file of a data set is judged without holding up the others.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../attack.ts";
import { reportWatch, timed, watchDaemon } from "../../attack-tools.ts";

const ROWS = "[[1,0,0,0],[0,1,0,0],[0,0,1,0.001],[0,0,0,1]]";
const FRAME = `{"head":${ROWS},"antennas":[0.1,0.1],"body_yaw":0.1,"note":"${"x".repeat(700)}"}`;

const moveOf = (frames: number, last: string) =>
  `{"time":[${Array.from({ length: frames }, (_, index) => index / 100)}],"set_target_data":[${`${FRAME},`.repeat(frames - 1)}${last}]}`;

/** Just below the limit of a file, and far above it. */
const MOVES = {
  "10 MB, wrong at the end": moveOf(11_000, '{"head":[]}'),
  "10 MB of brackets": "[".repeat(9_900_000),
  "10 MB of numbers": `{"time":[${"0,".repeat(4_900_000)}0],"set_target_data":[]}`,
  "49 MB": moveOf(58_000, '{"head":[]}'),
};

export default {
  title: "large files in place of recorded moves",
  async run({ daemon, dataDir, row }) {
    const folder = join(dataDir, "moves", "attack");
    mkdirSync(folder, { recursive: true });
    Object.values(MOVES).forEach((text, index) => void writeFileSync(join(folder, `move_${index}.json`), text));
    const stopWatching = await watchDaemon(daemon);
    for (const [index, what] of Object.keys(MOVES).entries()) {
      let status = 0;
      const ms = await timed(async () => {
        status = (await daemon.post(`/api/move/play/recorded-move-dataset/attack/move_${index}`)).status;
      });
      row(what, `${status} after ${ms.toFixed(0)} ms`, "422", status === 422);
    }
    reportWatch(row, await stopWatching(), 200);
    rmSync(folder, { recursive: true });
  },
} satisfies Attack;
