import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../common/seeded-random.ts";
import { reboot } from "../../robot/servo/protocol/instructions.ts";
import { encodeStatus } from "../../robot/servo/protocol/packet.ts";
import { StreamParser } from "../../robot/servo/protocol/stream-parser.ts";
import { HardwareError } from "../../robot/servo/registers/control-table.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { TestBench } from "../servos/testing/test-bench.ts";
import { FAULT_KINDS } from "./fault.ts";
import { FaultInjector } from "./fault-injector.ts";
import { parseFault } from "./parse-fault.ts";

const faults = (...texts: string[]) => new FaultInjector(texts.map(parseFault), seededRandom(7));
const PACKET = encodeStatus(11, 0, [1, 2, 3, 4]);

describe("parseFault", () => {
  test("reads kind, servos, parameters and times", () => {
    expect(parseFault("friction:servo=12+left_antenna,torque=0.1,at=5,for=10")).toMatchObject({
      kind: "friction",
      joints: ["stewart_2", "left_antenna"],
      from: 5,
      until: 15,
      values: { torque: 0.1 },
    });
    expect(parseFault("drop")).toMatchObject({ values: { rate: 0.01 }, from: 0, until: Number.POSITIVE_INFINITY });
    expect(parseFault("cogging").joints).toHaveLength(9);
  });

  test.each([
    ["dorp", /no fault "dorp"; there are drop, delay, corrupt/],
    ["drop:rate=2", /rate is "2"; use a number from 0 to 1/],
    ["drop:rate=x", /rate is "x"/],
    ["drop:rate", /write rate=VALUE/],
    ["drop:servo=11", /has no key "servo"; it takes rate, at, for/],
    ["stuck", /name the servo with servo=NAME\. There are body_yaw \(10\)/],
    ["silent:servo=99", /no servo "99"/],
    ["toString", /no fault "toString"/],
  ])("%s is refused with the valid values", (text, message) => {
    expect(() => parseFault(text)).toThrow(message);
    expect(() => parseFault(text)).toThrow(WorkbenchError);
  });

  test("parses any text or throws a usage error", () => {
    const kind = fc.constantFrom(...Object.keys(FAULT_KINDS), "");
    const part = fc.oneof(fc.constantFrom(":", ",", "=", "rate", "servo=11", "at=1", "NaN", "-1"), fc.string());
    fc.assert(
      fc.property(kind, fc.array(part), (name, parts) => {
        try {
          const { from, until } = parseFault(name + parts.join(""));
          expect(until).toBeGreaterThanOrEqual(from);
        } catch (error) {
          expect(error).toMatchObject({ code: "usage" });
        }
      }),
    );
  });
});

describe("packets", () => {
  const inject = (text: string, count = 5000) => {
    const chances = faults(text);
    return Array.from({ length: count }, () => chances.injectIntoPacket(PACKET, 0));
  };

  test("drop loses about the given share of packets", () => {
    const lost = inject("drop:rate=0.1").filter((packet) => packet === undefined).length;
    expect(lost).toBeGreaterThan(400);
    expect(lost).toBeLessThan(600);
  });

  test("corrupt changes one bit, which the CRC detects, and does not change the original", () => {
    const before = PACKET.slice();
    for (const packet of inject("corrupt:rate=1", 200)) {
      const flipped = PACKET.reduce((sum, byte, i) => sum + bits(byte ^ (packet?.[i] ?? 0)), 0);
      expect(flipped).toBe(1);
      expect(new StreamParser().push(packet ?? PACKET)).toEqual([]);
    }
    expect(PACKET).toEqual(before);
  });

  test("garble adds noise before an intact packet", () => {
    for (const packet of inject("garble:rate=1", 200)) {
      expect(packet?.length).toBeGreaterThan(PACKET.length);
      expect(packet?.subarray(-PACKET.length)).toEqual(PACKET);
    }
  });

  test("outside of a fault's time span packets are unchanged", () => {
    const chances = faults("drop:rate=1,at=2,for=1", "delay:rate=1,ms=50,at=2,for=1");
    expect([1.9, 2, 2.9, 3].map((time) => chances.injectIntoPacket(PACKET, time) === undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([1.9, 2, 3].map((time) => chances.replyDelay(time))).toEqual([0, 0.05, 0]);
  });

  test("the same seed gives the same faults", () => {
    expect(inject("corrupt:rate=0.5", 100)).toEqual(inject("corrupt:rate=0.5", 100));
  });
});

describe("servos", () => {
  const ID = 12;
  /** Ticks: so far away that a stuck servo gives all its power. */
  const GOAL = 2700;
  /** Runs the bench with faults for some seconds, torque on. */
  function runWithFaults(seconds: number, ...texts: string[]): TestBench {
    const bench = new TestBench();
    const chances = faults(...texts);
    bench.write(ID, "torqueEnable", 1);
    bench.write(ID, "goalPosition", GOAL);
    for (let time = 0; time < seconds; time += 0.01) {
      chances.apply(bench.bus, time);
      bench.run(0.01);
    }
    return bench;
  }
  const errors = (bench: TestBench) => bench.read(ID, "hardwareErrorStatus");

  test("overload, overheat, undervoltage and a stuck joint set their hardware errors", () => {
    expect(errors(runWithFaults(2.2, "overload:servo=12"))).toBe(HardwareError.overload);
    expect(errors(runWithFaults(0.1, "overheat:servo=stewart_2"))).toBe(HardwareError.overheating);
    expect(errors(runWithFaults(0.1, "undervoltage"))).toBe(HardwareError.inputVoltage);
    expect(errors(runWithFaults(2.5, "stuck:servo=12"))).toBe(HardwareError.overload);
    expect(errors(runWithFaults(2.5, "stuck:servo=13"))).toBe(0);
  });

  test("a brown-out restarts a servo without torque, a latched voltage error shuts it down until a reboot", () => {
    const { torque, status } = { torque: "torqueEnable", status: "hardwareErrorStatus" } as const;
    const stateWith = (text: string) => {
      const bench = runWithFaults(0.5, text);
      return [bench.read(ID, torque), bench.read(ID, status), bench.read(13, status)];
    };
    expect(stateWith("brownout:servo=12,for=0.1")).toEqual([0, 0, 0]);
    expect(stateWith("brownout:servo=12")).toEqual([undefined, undefined, 0]);
    expect(stateWith("latch:servo=12,for=0.1")).toEqual([0, HardwareError.inputVoltage, 0]);
    const latched = runWithFaults(0.1, "latch:servo=12");
    latched.send(reboot(ID));
    latched.run(0.4);
    expect([latched.write(ID, torque, 1), latched.read(ID, torque)]).toEqual([0, 1]);
  });

  test("a silent servo replies again after the fault's duration", () => {
    expect(runWithFaults(0.5, "silent:servo=12,for=1").read(ID, "id")).toBeUndefined();
    expect(runWithFaults(1.5, "silent:servo=12,for=1").read(ID, "id")).toBe(ID);
  });

  test("friction leaves a position error", () => {
    const error = (bench: TestBench) => Math.abs((bench.read(ID, "presentPosition") ?? 0) - GOAL);
    expect(error(runWithFaults(1, "friction:torque=0.1"))).toBeGreaterThan(30);
    // Without the fault, the gear's own dry friction.
    expect(error(runWithFaults(1))).toBeLessThanOrEqual(11);
  });
});

function bits(value: number): number {
  return value === 0 ? 0 : (value & 1) + bits(value >> 1);
}
