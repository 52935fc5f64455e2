// Measures the simulated robot alone: speed, loop closure, targets reached and reproducibility.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { figure, section } from "./figures.ts";

const REPLAY = new URL("../../dist/sim/replay.js", import.meta.url).href;
const SECONDS = 10;

/** The digest of a run in another process. */
async function digestInProcess(restores: boolean) {
  const code = `import { replayDigest } from "${REPLAY}"; console.log(await replayDigest({ seed: 1, seconds: ${SECONDS}, restores: ${restores} }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
  return stdout.trim();
}

export async function benchSimulator() {
  section("Simulated robot (2.5 ms steps, 2 times 12 iterations)");
  const { measureRandomSteps, measureSweep } = await import("../../sim/physics/testing/measure.ts");
  const sweep = await measureSweep(() => performance.now());
  const again = await measureSweep(() => performance.now());
  const speed = Math.max(sweep.timesRealTime, again.timesRealTime);
  figure("speed", `${speed.toFixed(1)} x real time`, ">= 40 x", speed >= 40);
  const engine = Math.max(sweep.engineTimesRealTime, again.engineTimesRealTime);
  figure("  the engine's own steps", `${engine.toFixed(1)} x real time`);
  figure("  all, times the engine's time", (engine / speed).toFixed(2), "<= 1.3", engine <= 1.3 * speed);
  figure("loop closure, widest", `${sweep.closureMaxMm.toFixed(4)} mm`, "<= 0.1 mm", sweep.closureMaxMm <= 0.1);
  figure("steady pose error", `${sweep.steadyErrorMm.toFixed(3)} mm`);
  const same = sweep.closureMaxMm === again.closureMaxMm && sweep.steadyErrorMm === again.steadyErrorMm;
  figure("the same sweep twice", same ? "bit-identical" : "different", "bit-identical", same);
  const [here, there, restored] = [
    await digestInProcess(false),
    await digestInProcess(false),
    await digestInProcess(true),
  ];
  const alike = (other: string) => (other === here ? "bit-identical" : "different");
  figure(`${SECONDS} s over the bus in two processes`, alike(there), "bit-identical", there === here);
  figure("and over a snapshot and its restore", alike(restored), "bit-identical", restored === here);
  const steps = await measureRandomSteps(150, 1);
  figure(
    "random step targets missed",
    `${steps.missed} of ${steps.targets}, ${steps.recoveries} recoveries`,
    "0",
    steps.missed === 0,
  );
}
