// The simulated robot alone: speed, closed loops, targets reached, and whether it does the same thing twice.
import { figure, section } from "./figures.mjs";

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
  const steps = await measureRandomSteps(150, 1);
  figure(
    "random step targets missed",
    `${steps.missed} of ${steps.targets}, ${steps.reseats} reseats`,
    "0",
    steps.missed === 0,
  );
}
