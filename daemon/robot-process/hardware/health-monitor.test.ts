import { expect, test } from "vitest";
import { advanceUntilSettled, ManualClock } from "../../../common/time/manual-clock.ts";
import { TestBench } from "../../../sim/servos/testing/test-bench.ts";
import { type SimulatedDevice, SimulatedLink } from "../control/testing/simulated-link.ts";
import { ServoBus } from "./bus/servo-bus.ts";
import { ServoHealthMonitor } from "./health-monitor.ts";
import { ALL_JOINTS, Servos } from "./servos.ts";

const STEWART_1 = 1;

async function startMonitor() {
  const clock = new ManualClock();
  const bench = new TestBench();
  const link = new SimulatedLink<SimulatedDevice>(clock, (transmit) => ({
    receive: (bytes) => {
      for (const reply of bench.bus.receive(bytes)) transmit(reply.bytes);
    },
    advanceTo: () => undefined,
  }));
  bench.run(0.5);
  const monitor = new ServoHealthMonitor(new Servos(new ServoBus(await link.open(), clock)), clock);
  const noTorque = ALL_JOINTS.map(() => false);
  /** What the monitor reports of one servo in so many seconds, at one check a second. */
  const watch = async (seconds: number): Promise<string[]> => {
    const messages: string[] = [];
    for (let second = 0; second < seconds; second++) {
      clock.advance(1000);
      bench.run(0.01);
      for (const finding of await advanceUntilSettled(clock, monitor.check(noTorque))) {
        if (finding.kind === "warning" && finding.joint === STEWART_1) messages.push(finding.message);
      }
    }
    return messages;
  };
  return { bench, watch };
}

test("a hardware warning is reported once while it stays; when it comes back at most once a minute, with how often", async () => {
  const { bench, watch } = await startMonitor();
  const { supplyVoltage } = bench.bus;
  const warning = expect.stringMatching(/^Servo 11 \(stewart_1\) reports input voltage out of range/);
  expect(await watch(2)).toEqual([]);
  bench.bus.supplyVoltage = 8;
  expect(await watch(2)).toEqual([warning]);
  expect(await watch(130)).toEqual([]);
  const comesBack = async () => {
    bench.bus.supplyVoltage = supplyVoltage;
    expect(await watch(2)).toEqual([]);
    bench.bus.supplyVoltage = 8;
    return watch(2);
  };
  expect(await comesBack()).toEqual([expect.stringMatching(/8\.0 V.*\(2 times since the robot was connected\)$/)]);
  expect(await comesBack()).toEqual([]);
  expect(await watch(60)).toEqual([]);
  expect(await comesBack()).toEqual([expect.stringMatching(/\(4 times since the robot was connected\)$/)]);
});
