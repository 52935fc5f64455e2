// npm run lab -- rewinds [COUNT] [SEED]: rewinds a simulated robot, with random inputs, COUNT times (1000) to a random moment, and
// compares it at each control period with the run that was not rewound. Prints how long a rewind takes.
import { rewindAtRandom } from "../sim/time/testing/random-rewinds.ts";
import { figure, section } from "./bench/figures.ts";

const [count = "1000", seed = "1"] = process.argv.slice(2);
section(`Rewinds, seed ${seed}`);
const { wrong, ms } = await rewindAtRandom({ seed: Number(seed), seconds: 25, rewinds: Number(count) });
const sorted = ms.toSorted((a, b) => a - b);
const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
figure(`differences in ${count} rewinds`, String(wrong), "0", wrong === 0);
figure("a rewind, p50", `${at(0.5).toFixed(2)} ms`, "<= 50 ms", at(0.5) <= 50);
figure("a rewind, p95", `${at(0.95).toFixed(2)} ms`, "<= 50 ms", at(0.95) <= 50);
figure("a rewind, longest", `${at(1).toFixed(2)} ms`, "<= 50 ms", at(1) <= 50);
if (wrong > 0) process.exitCode = 1;
