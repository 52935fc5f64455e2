// The simulated robot alone: speed, closed loops, targets reached, and whether it does the same thing twice.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { figure, section } from "./figures.mjs";

const REPLAY = new URL("../../dist/sim/replay.js", import.meta.url).href;
const SECONDS = 10;

/** A run's digest, in a process of its own. @param {boolean} restores */
async function digestElsewhere(restores) {
  const code = `import { replayDigest } from "${REPLAY}"; console.log(await replayDigest({ seed: 1, seconds: ${SECONDS}, restores: ${restores} }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
  return stdout.trim();
}

export async function benchSimulator() {
  section("Simulated robot (1 ms steps, 4 iterations)");
  const { measureRandomSteps, measureSweep } = await import(
    new URL("../../dist/sim/physics/measure.js", import.meta.url).href
  );
  const sweep = await measureSweep(() => performance.now());
  const again = await measureSweep(() => performance.now());
  const speed = Math.max(sweep.timesRealTime, again.timesRealTime);
  figure("speed", `${speed.toFixed(1)} x real time`, ">= 15 x", speed >= 15);
  figure("loop closure, widest", `${sweep.closureMaxMm.toFixed(4)} mm`, "<= 0.1 mm", sweep.closureMaxMm <= 0.1);
  figure("steady pose error", `${sweep.steadyErrorMm.toFixed(3)} mm`);
  const same = sweep.closureMaxMm === again.closureMaxMm && sweep.steadyErrorMm === again.steadyErrorMm;
  figure("the same sweep twice", same ? "bit-identical" : "different", "bit-identical", same);
  const [here, there, restored] = [
    await digestElsewhere(false),
    await digestElsewhere(false),
    await digestElsewhere(true),
  ];
  const alike = (/** @type {string} */ other) => (other === here ? "bit-identical" : "different");
  figure(`${SECONDS} s over the bus in two processes`, alike(there), "bit-identical", there === here);
  figure("and over a snapshot and its restore", alike(restored), "bit-identical", restored === here);
  const steps = await measureRandomSteps(150, 1);
  figure(
    "random step targets missed",
    `${steps.missed} of ${steps.targets}, ${steps.reseats} reseats`,
    "0",
    steps.missed === 0,
  );
}
