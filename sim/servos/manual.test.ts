import { beforeEach, describe, expect, test } from "vitest";
import { encodeInstruction, Instruction, StatusError } from "../../robot/servo/protocol/packet.ts";
import * as make from "../../robot/servo/protocol/testing/instructions.ts";
import {
  encodeValue,
  HardwareError,
  OperatingMode,
  REGISTERS,
  type RegisterName,
} from "../../robot/servo/registers/control-table.ts";
import { BOOT_TIME } from "./servo.ts";
import { TestBench } from "./testing/test-bench.ts";

/*
 * What the maker's manual says of protocol 2.0 (https://emanual.robotis.com/docs/en/dxl/protocol2/) and of the XL330-M288
 * (https://emanual.robotis.com/docs/en/dxl/x/xl330-m288/). The heading of each row's source is in front of it.
 */

/** stewart_1, an XL330-M288 whose position limits are 1502 and 2958. */
const ID = 11;
const { none, resultFail, instruction, crc, dataRange, dataLength, dataLimit, access } = StatusError;
let bench: TestBench;
beforeEach(() => {
  bench = new TestBench();
});

const servo = () => bench.bus.servos[1]!;
const errorOf = (bytes: Uint8Array) => bench.send(bytes)[0]?.error;
const afterBoot = () => bench.run(BOOT_TIME + 0.01);
/** The same packet with a wrong CRC. */
const damaged = (bytes: Uint8Array) => bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1);

describe("Error: what a write is refused with", () => {
  const { position, current, currentBasedPosition, velocity } = OperatingMode;
  test.each<[source: string, name: RegisterName, value: number, error: number, mode?: number]>([
    ["Data Range Error; range 0 ~ 1", "led", 2, dataRange],
    ["Data Range Error; range 0 ~ 16,383", "positionPGain", 16_384, dataRange],
    ["Data Range Error; range 0 ~ 2", "statusReturnLevel", 3, dataRange],
    ["Data Range Error; range 31 ~ 70", "maxVoltageLimit", 71, dataRange],
    ["Data Range Error; range 0 ~ 252", "id", 253, dataRange],
    ["Data Range Error; range 1 ~ 255", "pwmSlope", 0, dataRange],
    ["Data Range Error; range 64 ~ 227", "indirectAddress1", 63, dataRange],
    ["Data Limit Error; range Min ~ Max Position Limit", "goalPosition", 1501, dataLimit],
    ["Data Limit Error; range Min ~ Max Position Limit", "goalPosition", 2959, dataLimit, position],
    ["Data Limit Error; range Min ~ Max Position Limit", "goalPosition", 1_048_576, dataLimit, position],
    ["Goal Position: -1,048,575 ~ 1,048,575", "goalPosition", 1_048_575, none, currentBasedPosition],
    ["Goal Position: -1,048,575 ~ 1,048,575", "goalPosition", 1_048_576, dataRange, currentBasedPosition],
    ["Data Limit Error; range -PWM Limit ~ PWM Limit", "goalPwm", 886, dataLimit],
    ["Data Limit Error; range -PWM Limit ~ PWM Limit", "goalPwm", -885, none],
    ["Data Limit Error; range -Current Limit ~ Current Limit", "goalCurrent", 1751, dataLimit, current],
    ["Data Limit Error; range -Velocity Limit ~ Velocity Limit", "goalVelocity", -446, dataLimit, velocity],
    ["Data Limit Error; range -Velocity Limit ~ Velocity Limit", "goalVelocity", 2048, dataLimit, velocity],
    ["Access Error: read only", "presentPosition", 1, access],
    ["Access Error: read only", "modelNumber", 1200, access],
    ["Secondary ID: 253 ~ 255 deactivate it", "secondaryId", 254, none],
  ])("%s: %s = %i", (_, name, value, error, mode = position) => {
    expect(bench.write(ID, "operatingMode", mode)).toBe(none);
    expect(bench.write(ID, name, value)).toBe(error);
  });

  test.each<[source: string, request: Uint8Array, error: number]>([
    ["Data Length Error: 2 bytes of an item of 4", make.write(ID, 116, [0, 0]), dataLength],
    ["Access Error: an address that is not defined", make.write(ID, 14, [0]), access],
    ["Read: outside the range of the control table", make.read(ID, 228, 1), access],
    ["Instruction Error: undefined", encodeInstruction(ID, 0x42), instruction],
    ["Instruction Error: Action without Reg Write", make.action(ID), instruction],
    [
      "Clear: other options are reserved",
      encodeInstruction(ID, Instruction.clear, [2, 0x44, 0x58, 0x4c, 0x22]),
      resultFail,
    ],
  ])("%s", (_, request, error) => {
    expect(errorOf(request)).toBe(error);
  });

  test("Access Error: each item of the EEPROM while torque is on", () => {
    bench.write(ID, "torqueEnable", 1);
    for (const name of Object.keys(REGISTERS) as RegisterName[]) {
      if (REGISTERS[name].area === "eeprom") expect([name, bench.write(ID, name, 0)]).toEqual([name, access]);
    }
  });
});

describe("Error: CRC Error", () => {
  test.each([
    ["ping", make.ping(ID)],
    ["read", make.read(ID, 132, 4)],
    ["write", make.write(ID, 65, [1])],
    ["reboot", make.reboot(ID)],
  ])("a damaged %s is answered with it, and not carried out", (_, request) => {
    expect(bench.send(damaged(request))).toMatchObject([{ id: ID, error: crc, params: new Uint8Array(0) }]);
    expect(bench.read(ID, "led")).toBe(0);
  });

  test.each<[string, () => Uint8Array]>([
    ["to all servos", () => make.syncRead(132, 4, [ID])],
    ["to a servo that is not there", () => make.ping(99)],
    ["with a status packet", () => encodeInstruction(ID, Instruction.status, [0])],
  ])("a damaged packet %s is not answered", (_, request) => {
    expect(bench.send(damaged(request()))).toEqual([]);
    expect(bench.send(make.ping(ID))).toHaveLength(1);
  });

  test("the answers come in the order of the requests", () => {
    const requests = [damaged(make.ping(ID)), make.ping(12), damaged(make.ping(13))];
    const answers = bench.send(Uint8Array.from(requests.flatMap((bytes) => [...bytes])));
    expect(answers.map(({ id, error }) => [id, error])).toEqual([
      [ID, crc],
      [12, none],
      [13, crc],
    ]);
  });

  test("Status Return Level: a servo that answers reads only says nothing of a damaged write", () => {
    bench.write(ID, "statusReturnLevel", 1);
    expect(bench.send(damaged(make.write(ID, 65, [1])))).toEqual([]);
    expect(errorOf(damaged(make.read(ID, 132, 4)))).toBe(crc);
  });

  test("Error: the alert bit is set as well while a hardware error stands", () => {
    servo().setFaultState({ latch: true });
    bench.run(0.01);
    expect(bench.read(ID, "hardwareErrorStatus")).toBe(HardwareError.inputVoltage);
    expect([errorOf(make.ping(ID)), errorOf(damaged(make.ping(ID)))]).toEqual([0x80, 0x80 | crc]);
  });
});

describe("Control Table Backup", () => {
  test("stores EEPROM, gains, profile and indirect addresses; Backup Ready says that there is one", () => {
    expect(errorOf(make.factoryReset(ID, make.FactoryReset.keepIdAndBaud))).toBe(none);
    afterBoot();
    expect([bench.read(ID, "backupReady"), errorOf(make.restore(ID))]).toEqual([0, resultFail]);
    bench.write(ID, "homingOffset", 77);
    bench.write(ID, "startupConfiguration", 2);
    bench.write(ID, "positionPGain", 321);
    bench.write(ID, "velocityIGain", 12);
    bench.write(ID, "profileVelocity", 9);
    bench.write(ID, "indirectAddress2", 65);
    bench.write(ID, "led", 1);
    expect(errorOf(make.backup(ID))).toBe(none);
    expect(bench.read(ID, "backupReady")).toBe(1);
    bench.write(ID, "homingOffset", 0);
    bench.send(make.reboot(ID));
    afterBoot();
    // Startup Configuration: RAM Restore. The EEPROM waits for its instruction; the LED is no part of a backup.
    const names = [
      "positionPGain",
      "velocityIGain",
      "profileVelocity",
      "indirectAddress2",
      "led",
      "homingOffset",
    ] as const;
    expect(names.map((name) => bench.read(ID, name))).toEqual([321, 12, 9, 65, 0, 0]);
    expect(errorOf(make.restore(ID))).toBe(none);
    expect(bench.send(make.ping(ID))).toEqual([]);
    afterBoot();
    expect(bench.read(ID, "homingOffset")).toBe(77);
  });

  test.each([
    ["store", make.backup(ID)],
    ["restore", make.restore(ID)],
  ])("torque on: %s fails", (_, request) => {
    bench.write(ID, "torqueEnable", 1);
    expect(errorOf(request)).toBe(resultFail);
    bench.write(ID, "torqueEnable", 0);
    expect(errorOf(request)).toBe(none);
  });

  test.each([[[3, 0x43, 0x54, 0x52, 0x4c]], [[1, 0, 0, 0, 0]], [[2]], [[]]])("%j is no option", (params) => {
    expect(errorOf(encodeInstruction(ID, Instruction.backup, params))).toBe(resultFail);
  });
});

describe("Secondary(Shadow) ID", () => {
  const GROUP = 100;
  const leds = () => [11, 12, 13].map((id) => bench.read(id, "led"));
  const group = (...ids: number[]) => ids.map((id) => expect(bench.write(id, "secondaryId", GROUP)).toBe(none));

  test("a write to it reaches the group, without a status packet", () => {
    group(11, 12);
    expect(bench.send(make.write(GROUP, 65, [1]))).toEqual([]);
    expect(leds()).toEqual([1, 1, 0]);
    expect(bench.send(make.regWrite(GROUP, 65, [0]))).toEqual([]);
    expect(bench.send(make.action(GROUP))).toEqual([]);
    expect(leds()).toEqual([0, 0, 0]);
  });

  test("the servo with that id answers, and the group follows", () => {
    bench.write(11, "secondaryId", 13);
    expect(bench.send(make.write(13, 65, [1]))).toMatchObject([{ id: 13, error: none }]);
    expect(leds()).toEqual([1, 0, 1]);
  });

  test("the EEPROM cannot be changed with it, and it does not read, reset or reboot", () => {
    group(11);
    for (const request of [
      make.write(GROUP, REGISTERS.homingOffset.address, encodeValue(REGISTERS.homingOffset, 1)),
      make.read(GROUP, 132, 4),
      make.factoryReset(GROUP, make.FactoryReset.keepId),
      make.reboot(GROUP),
    ])
      expect(bench.send(request)).toEqual([]);
    expect(bench.read(11, "homingOffset")).toBe(1024);
  });
});

describe("Fast Bulk Read", () => {
  const requests = [
    { id: 12, address: 132, length: 4 },
    { id: 10, address: 144, length: 2 },
    { id: 18, address: 146, length: 1 },
  ];

  test("one packet of id 254 has error, id, data and CRC of each servo in the order of the request", () => {
    const [answer, ...more] = bench.send(make.fastBulkRead(requests));
    expect(more).toEqual([]);
    const bytes = [answer?.error, ...(answer?.params ?? [])];
    expect([bytes.length, bytes.slice(0, 6), bytes.slice(8, 12), bytes.slice(14, 17)]).toEqual([
      17,
      [0, 12, 0, 8, 0, 0],
      [0, 10, 60, 0],
      [0, 18, 25],
    ]);
  });

  test("a servo that does not answer leaves it incomplete", () => {
    servo().setFaultState({ silent: true });
    expect(bench.send(make.fastBulkRead([...requests, { id: ID, address: 65, length: 1 }]))).toEqual([]);
  });
});

test.each<[source: string, request: Uint8Array]>([
  ["Read: not executed", make.read(254, 132, 4)],
  ["Write", make.write(254, 65, [0])],
  ["Factory Reset: all, not executed", make.factoryReset(254, make.FactoryReset.keepNothing)],
  ["Clear", make.clearTurns(254)],
  ["Control Table Backup", make.backup(254)],
])("Response Policy: all servos are silent after %s", (_, request) => {
  expect(bench.bus.receive(request)).toEqual([]);
  expect(bench.send(make.ping(254))).toHaveLength(9);
});

test("Bus Watchdog: goals are read only with a range error after it, until 0 is written", () => {
  bench.write(ID, "torqueEnable", 1);
  bench.write(ID, "busWatchdog", 1);
  bench.run(0.03);
  expect(bench.read(ID, "busWatchdog")).toBe(-1);
  for (const name of ["goalPwm", "goalCurrent", "goalVelocity", "goalPosition"] as const)
    expect([name, bench.write(ID, name, 0)]).toEqual([name, dataRange]);
  expect([bench.write(ID, "busWatchdog", 0), bench.write(ID, "goalPosition", 2000)]).toEqual([none, none]);
});

test("Moving: above the moving threshold, or while a profile is in progress", () => {
  bench.write(ID, "movingThreshold", 50);
  bench.write(ID, "profileVelocity", 10);
  bench.write(ID, "torqueEnable", 1);
  bench.run(0.2);
  expect(bench.read(ID, "moving")).toBe(0);
  bench.write(ID, "goalPosition", 2300);
  bench.run(0.2);
  expect([bench.read(ID, "moving"), (bench.read(ID, "presentVelocity") ?? 0) < 50]).toEqual([1, true]);
});
