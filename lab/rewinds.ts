// npm run lab -- rewinds [COUNT] [SEED]: rewinds a simulated robot, with random inputs, COUNT times (1000) to a random moment, and
// compares it at each control period with the run that was not rewound. Prints how long a rewind takes.
import { rewindAtRandom } from "../sim/time/testing/random-rewinds.ts";
import { figure, quantile, section } from "./bench/figures.ts";

const [count = "1000", seed = "1"] = process.argv.slice(2);
section(`Rewinds, seed ${seed}`);
const { wrong, ms } = await rewindAtRandom({ seed: Number(seed), seconds: 25, rewinds: Number(count) });
figure(`differences in ${count} rewinds`, String(wrong), "0", wrong === 0);
for (const [what, share] of [
  ["p50", 0.5],
  ["p95", 0.95],
  ["longest", 1],
] as const) {
  const took = quantile(ms, share);
  figure(`a rewind, ${what}`, `${took.toFixed(2)} ms`, "<= 50 ms", took <= 50);
}
if (wrong > 0) process.exitCode = 1;
