import { describe, expect, test } from "vitest";
import { JOINTS } from "../../../robot/description/joints.ts";
import { encodeInstruction, Instruction, StatusError } from "../../../robot/servo/protocol/packet.ts";
import * as make from "../../../robot/servo/protocol/testing/instructions.ts";
import { decodeValue, encodeValue, PRESENT_STATE, REGISTERS } from "../../../robot/servo/registers/control-table.ts";
import { BOOT_TIME } from "../servo.ts";
import { TestBench } from "../testing/test-bench.ts";

const IDS = JOINTS.map((joint) => joint.id);
const position = (value: number) => encodeValue(REGISTERS.goalPosition, value);

describe("instructions to several servos", () => {
  test("a broadcast ping finds the nine servos in the order of their ids", () => {
    const found = new TestBench().send(make.ping(254));
    expect(found.map((packet) => packet.id)).toEqual(IDS);
    expect(found.map((packet) => (packet.params[0] ?? 0) + 256 * (packet.params[1] ?? 0))).toEqual([
      1240, 1200, 1200, 1200, 1200, 1200, 1200, 1190, 1190,
    ]);
  });

  test("a sync read returns one packet of ten bytes from each servo", () => {
    const replies = new TestBench().send(make.syncRead(PRESENT_STATE.address, PRESENT_STATE.length, IDS));
    expect(replies.map((packet) => [packet.id, packet.params.length])).toEqual(IDS.map((id) => [id, 10]));
    for (const { params } of replies) expect(decodeValue(REGISTERS.presentPosition, params, 6)).toBe(2048);
  });

  test("a fast sync read returns the same data in one packet", () => {
    const bench = new TestBench();
    const apart = bench.send(make.syncRead(132, 4, IDS));
    const [packet, ...more] = bench.send(make.fastSyncRead(132, 4, IDS));
    expect(more).toEqual([]);
    if (packet === undefined) throw new Error("no reply");
    expect(make.decodeFastSyncStatus(packet, 4)).toEqual(
      apart.map(({ id, error, params }) => ({ id, error, data: params })),
    );
  });

  test("a bulk read reads another register from each servo", () => {
    const replies = new TestBench().send(
      make.bulkRead([
        { id: 12, address: 144, length: 2 },
        { id: 10, address: 146, length: 1 },
      ]),
    );
    expect(replies.map((packet) => [packet.id, [...packet.params]])).toEqual([
      [12, [60, 0]],
      [10, [25]],
    ]);
  });

  test("sync and bulk writes reach their servos without a reply", () => {
    const bench = new TestBench();
    expect(
      bench.bus.receive(
        make.syncWrite(
          116,
          4,
          IDS.map((id) => ({ id, data: position(2000 + id) })),
        ),
      ),
    ).toEqual([]);
    expect(IDS.map((id) => bench.read(id, "goalPosition"))).toEqual(IDS.map((id) => 2000 + id));
    const entries = [
      { id: 11, address: 65, data: [1] },
      { id: 12, address: 84, data: [44, 1] },
    ];
    expect(bench.bus.receive(make.bulkWrite(entries))).toEqual([]);
    expect([bench.read(11, "led"), bench.read(12, "positionPGain")]).toEqual([1, 300]);
  });

  test("a broadcast write is executed without a reply", () => {
    const bench = new TestBench();
    expect(bench.bus.receive(make.write(254, 65, [1]))).toEqual([]);
    expect(IDS.map((id) => bench.read(id, "led"))).toEqual(IDS.map(() => 1));
  });
});

describe("servos that do not reply", () => {
  test("a silent servo receives nothing, and the servos after it in a sync read do not reply", () => {
    const bench = new TestBench();
    const [, , third] = bench.bus.servos;
    if (third === undefined) throw new Error("no third servo");
    third.setFaultState({ silent: true });
    expect(bench.send(make.ping(12))).toEqual([]);
    expect(bench.send(make.syncRead(132, 4, IDS)).map((packet) => packet.id)).toEqual([10, 11]);
    expect(bench.send(make.fastSyncRead(132, 4, IDS))).toEqual([]);
    expect(bench.send(make.ping(254)).map((packet) => packet.id)).toEqual(IDS.filter((id) => id !== 12));
  });

  test("the status return level determines which instructions get a reply", () => {
    const bench = new TestBench();
    expect(bench.write(11, "statusReturnLevel", 1)).toBe(0);
    expect(bench.write(11, "led", 1)).toBeUndefined();
    expect(bench.read(11, "led")).toBe(1);
    bench.write(11, "statusReturnLevel", 0);
    expect(bench.read(11, "led")).toBeUndefined();
    expect(bench.send(make.ping(11))).toHaveLength(1);
  });

  test("a servo that reboots does not reply for its boot time", () => {
    const bench = new TestBench();
    bench.write(11, "led", 1);
    bench.write(11, "torqueEnable", 1);
    expect(bench.send(make.reboot(11))).toMatchObject([{ id: 11, error: 0 }]);
    expect(bench.send(make.ping(11))).toEqual([]);
    bench.run(BOOT_TIME + 0.01);
    expect([bench.read(11, "led"), bench.read(11, "torqueEnable")]).toEqual([0, 0]);
    expect(bench.read(11, "positionPGain")).toBe(300);
  });

  test("a servo with another baud rate replies at that rate only", () => {
    const bench = new TestBench();
    expect(bench.write(11, "baudRate", 1)).toBe(0);
    expect(bench.send(make.ping(11))).toEqual([]);
    bench.bus.baudRate = 57_600;
    expect(bench.send(make.ping(254)).map((packet) => packet.id)).toEqual([11]);
  });
});

test("a reply has the return delay time of its servo", () => {
  const bench = new TestBench();
  bench.write(11, "returnDelayTime", 250);
  expect(bench.bus.receive(make.ping(11))[0]?.delay).toBeCloseTo(500e-6);
  expect(bench.bus.receive(make.ping(12))[0]?.delay).toBe(0);
});

test("the packet after an incomplete packet is received", () => {
  const bench = new TestBench();
  bench.bus.receive(make.write(11, 116, position(2048)).subarray(0, 9));
  expect(bench.send(make.ping(11))).toHaveLength(1);
});

test("the start of a long packet is discarded after a pause, not while its bytes arrive slowly", () => {
  const bench = new TestBench();
  // The parser cannot end this broadcast status packet at the next header, because its content is not byte-stuffed.
  bench.bus.receive(Uint8Array.of(0xff, 0xff, 0xfd, 0x00, 0xfe, 0x00, 0x04, 0x55));
  expect(bench.send(make.ping(11))).toEqual([]);
  bench.run(0.6);
  expect(bench.send(make.ping(11))).toHaveLength(1);
  const [last, ...first] = [...make.ping(11)].reverse();
  for (const byte of first.reverse()) {
    bench.bus.receive(Uint8Array.of(byte));
    bench.run(0.1);
  }
  expect(bench.send(Uint8Array.of(last ?? 0))).toHaveLength(1);
});

test("two servos with the same id reply at the same time, and the reply is garbled", () => {
  const bench = new TestBench();
  bench.write(18, "id", 17);
  bench.write(17, "led", 1);
  const [, , , , , , , , left] = bench.joints;
  left?.turnTo(1);
  expect(bench.bus.receive(make.read(17, 132, 4))).toHaveLength(1);
  expect(bench.send(make.read(17, 132, 4))).toEqual([]);
});

test("a factory reset keeps id and baud rate on request and clears the assembled settings", () => {
  const bench = new TestBench();
  expect(bench.send(make.factoryReset(11, make.FactoryReset.keepIdAndBaud))).toMatchObject([{ error: 0 }]);
  bench.run(BOOT_TIME + 0.01);
  expect(bench.read(11, "homingOffset")).toBe(0);
  expect(bench.read(11, "returnDelayTime")).toBe(250);
  expect(bench.read(11, "positionPGain")).toBe(400);
  expect(bench.read(11, "presentPosition")).toBe(2048 - 1024);
  bench.send(make.factoryReset(12, make.FactoryReset.keepNothing));
  bench.bus.baudRate = 57_600;
  bench.run(BOOT_TIME + 0.01);
  expect(bench.send(make.ping(254)).map((packet) => packet.id)).toEqual([1]);
  expect(bench.bus.receive(make.factoryReset(254, make.FactoryReset.keepNothing))).toEqual([]);
  bench.run(BOOT_TIME + 0.01);
  bench.bus.baudRate = 1_000_000;
  expect(bench.send(make.ping(254))).toHaveLength(8);
});

test("an unknown instruction returns an instruction error", () => {
  const bench = new TestBench();
  expect(bench.send(encodeInstruction(11, 0x77))).toMatchObject([{ error: StatusError.instruction }]);
  expect(bench.send(make.action(11))).toMatchObject([{ error: StatusError.instruction }]);
  expect(bench.send(encodeInstruction(11, Instruction.clear, [1, 2]))).toMatchObject([
    { error: StatusError.resultFail },
  ]);
});

describe("indirect addresses", () => {
  const word = (value: number) => [value & 0xff, value >> 8];
  const bytesFrom = (address: number) => [0, 1, 2, 3].flatMap((offset) => word(address + offset));

  test("bring bytes from different places into one read, and take one write to them", () => {
    const bench = new TestBench();
    const { goalPosition, presentPosition, presentTemperature, led } = REGISTERS;
    const chosen = [...bytesFrom(presentPosition.address), ...word(presentTemperature.address)];
    expect(bench.send(make.write(11, 168, chosen))).toMatchObject([{ error: 0 }]);
    const [apart] = bench.send(make.read(11, presentPosition.address, 4));
    const [together] = bench.send(make.read(11, 208, 5));
    expect([...(together?.params ?? [])].slice(0, 4)).toEqual([...(apart?.params ?? [])]);
    expect(together?.params[4]).toBe(bench.read(11, "presentTemperature"));
    expect(bench.send(make.write(11, 208, [0, 0, 0, 0]))).toMatchObject([{ error: StatusError.access }]);

    expect(bench.send(make.write(11, 168, [...word(led.address), ...bytesFrom(goalPosition.address)]))).toMatchObject([
      { error: 0 },
    ]);
    expect(bench.send(make.write(11, 208, [1, ...position(2100)]))).toMatchObject([{ error: 0 }]);
    expect([bench.read(11, "led"), bench.read(11, "goalPosition")]).toEqual([1, 2100]);
  });

  test("lead to their own data at first; half a register and an address that there is not are refused", () => {
    const bench = new TestBench();
    expect(bench.send(make.write(11, 208, [7, 8]))).toMatchObject([{ error: 0 }]);
    expect([...(bench.send(make.read(11, 208, 3))[0]?.params ?? [])]).toEqual([7, 8, 0]);
    for (const address of [63, 228])
      expect(bench.send(make.write(11, 168, word(address)))).toMatchObject([{ error: StatusError.dataRange }]);
    bench.send(make.write(11, 168, word(REGISTERS.goalPosition.address)));
    expect(bench.send(make.write(11, 208, [1, 2, 3, 4]))).toMatchObject([{ error: StatusError.access }]);
    expect(bench.send(make.read(11, 208, 21))).toMatchObject([{ error: StatusError.access }]);
  });
});
