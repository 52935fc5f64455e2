// Measures the servo bus over a tty and TCP: the time of a tick's exchange, and the control loop's period.
import { setTimeout as sleep } from "node:timers/promises";
import { built } from "../../scripts/setup/built.mjs";
import { TEST_DATA } from "../../scripts/setup/test-apps.mjs";
import { type RobotSimTransport, spawnRobotSim } from "../../sim/process/spawn-robot-sim.ts";
import { startDaemon } from "./daemon.ts";
import { figure, quantile, section } from "./figures.ts";
import { benchPeriods } from "./load.ts";

const TICKS = 1000;

/** Milliseconds of each sync read of nine servos with the sync write after it. */
async function exchanges(address: string) {
  const [{ openLink, linkAddress }, { ServoBus }, { systemClock }, { Servos }] = await Promise.all([
    built("daemon/robot-process/hardware/link/open.js"),
    built("daemon/robot-process/hardware/bus/servo-bus.js"),
    built("common/time/clock.js"),
    built("daemon/robot-process/hardware/servos.js"),
  ]);
  const link = await openLink(linkAddress(address));
  const servos = new Servos(new ServoBus(link, systemClock));
  const times = [];
  for (let tick = 0; tick < TICKS; tick += 1) {
    const began = performance.now();
    if (await servos.readPresent()) times.push(performance.now() - began);
    await servos.writeGoals(servos.position);
    await sleep(2);
  }
  await link.close();
  return times;
}

async function benchExchange(name: string, transport: RobotSimTransport, options: string[] = []) {
  const sim = await spawnRobotSim(transport, options);
  try {
    const times = await exchanges(sim.address);
    const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q).toFixed(2));
    figure(`reading nine servos, ${name}`, `p50 ${p50} ms, p99 ${p99} ms, ${TICKS - times.length} of ${TICKS} lost`);
  } finally {
    await sim.close();
  }
}

export async function benchWire() {
  section("Servo bus over a tty and TCP");
  await benchExchange("tty", "pty");
  await benchExchange("tty with the wire's delay", "pty", ["--wire-delay"]);
  await benchExchange("TCP", "tcp");
  const sim = await spawnRobotSim("pty");
  const daemon = await startDaemon(TEST_DATA, [], sim.address);
  try {
    await daemon.awake();
    await benchPeriods(daemon);
  } finally {
    await daemon.stop();
    await sim.close();
  }
}
