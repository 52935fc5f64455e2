import fc from "fast-check";
import { expect, test } from "vitest";
import { StatusError } from "../../robot/servo/protocol/packet.ts";
import * as make from "../../robot/servo/protocol/testing/instructions.ts";
import {
  encodeValue,
  REGISTER_NAMES,
  REGISTERS,
  type RegisterName,
} from "../../robot/servo/registers/control-table.ts";
import { MODELS, registerOf } from "../../robot/servo/registers/models.ts";
import { BOOT_TIME } from "./servo.ts";
import { TestBench } from "./testing/test-bench.ts";

/** stewart_1, an XL330-M288. */
const ID = 11;
const MODEL = MODELS["XL330-M288"];
/** Registers that change which servo replies or raise alerts; the tests of motor control and bus cover them. */
const EXCLUDED: readonly RegisterName[] = [
  "id",
  "baudRate",
  "statusReturnLevel",
  "busWatchdog",
  "goalPosition",
  "temperatureLimit",
  "minVoltageLimit",
  "maxVoltageLimit",
];
/** Registers that stand for others; the test of the bus covers them. */
const isIndirect = (name: RegisterName): boolean => name.startsWith("indirect");
const PLAIN = REGISTER_NAMES.filter((name) => !EXCLUDED.includes(name) && !isIndirect(name));
const SETTABLE = PLAIN.filter((name) => REGISTERS[name].access === "rw");
const CHOICES: Partial<Record<RegisterName, readonly number[]>> = {
  operatingMode: [0, 1, 3, 5],
  driveMode: [0],
  protocolType: [2],
};
const LIMIT: Partial<Record<RegisterName, RegisterName>> = {
  goalPwm: "pwmLimit",
  goalCurrent: "currentLimit",
  goalVelocity: "velocityLimit",
};

/** The model: the control table as a map, with the manual's rules for writes. */
interface Table {
  values: Map<RegisterName, number>;
  registered: [RegisterName, number] | undefined;
}
const valueIn = (table: Table, name: RegisterName) => table.values.get(name) ?? 0;

function expectedError(table: Table, name: RegisterName, value: number): StatusError {
  const { access, area, min, max } = registerOf(MODEL, name);
  if (access === "r" || (area === "eeprom" && valueIn(table, "torqueEnable") === 1)) return StatusError.access;
  const limit = LIMIT[name];
  if (limit !== undefined) return Math.abs(value) > valueIn(table, limit) ? StatusError.dataLimit : StatusError.none;
  const isInRange = value >= min && value <= max && CHOICES[name]?.includes(value) !== false;
  return isInRange ? StatusError.none : StatusError.dataRange;
}

/** Registers that a change of the operating mode resets. */
const MODE_REGISTERS = PLAIN.filter((name) => /Gain$|^profile/.test(name));

function assign(table: Table, name: RegisterName, value: number): void {
  const changesMode = name === "operatingMode" && value !== valueIn(table, name);
  table.values.set(name, value);
  if (!changesMode) return;
  for (const one of MODE_REGISTERS) table.values.set(one, registerOf(MODEL, one).initial);
  table.values.set("goalPwm", valueIn(table, "pwmLimit"));
  table.values.set("goalCurrent", valueIn(table, "currentLimit"));
}

type Step = fc.Command<Table, TestBench>;
const step = (name: string, run: (table: Table, bench: TestBench) => void): Step => ({
  check: () => true,
  run,
  toString: () => name,
});

const write = (name: RegisterName, value: number) =>
  step(`write ${name} = ${value}`, (table, bench) => {
    const expected = expectedError(table, name, value);
    expect(bench.write(ID, name, value)).toBe(expected);
    if (expected === StatusError.none) assign(table, name, value);
  });
const read = (name: RegisterName) =>
  step(`read ${name}`, (table, bench) => expect(bench.read(ID, name)).toBe(valueIn(table, name)));
const regWrite = (name: RegisterName, value: number) =>
  step(`reg write ${name} = ${value}`, (table, bench) => {
    const expected = expectedError(table, name, value);
    const { address } = REGISTERS[name];
    expect(bench.send(make.regWrite(ID, address, encodeValue(REGISTERS[name], value)))).toMatchObject([
      { error: expected },
    ]);
    if (expected === StatusError.none) table.registered = [name, value];
    expect(bench.read(ID, "registeredInstruction")).toBe(table.registered === undefined ? 0 : 1);
  });
const action = step("action", (table, bench) => {
  const error = table.registered === undefined ? StatusError.instruction : StatusError.none;
  expect(bench.send(make.action(ID))).toMatchObject([{ error }]);
  if (table.registered !== undefined) assign(table, ...table.registered);
  table.registered = undefined;
});
const writeHalf = (name: RegisterName) =>
  step(`write half of ${name}`, (table, bench) => {
    const { address, size } = REGISTERS[name];
    const half = encodeValue(REGISTERS[name], valueIn(table, name)).subarray(0, size - 1);
    expect(bench.send(make.write(ID, address, half))).toMatchObject([{ error: StatusError.dataLength }]);
  });
const writeInside = (name: RegisterName) =>
  step(`write into ${name}`, (_, bench) => {
    const { address } = REGISTERS[name];
    expect(bench.send(make.write(ID, address + 1, [0]))).toMatchObject([{ error: StatusError.access }]);
  });
const reboot = step("reboot", (table, bench) => {
  expect(bench.send(make.reboot(ID))).toMatchObject([{ error: 0 }]);
  bench.run(BOOT_TIME + 0.002);
  table.registered = undefined;
  startRam(table);
});
const wait = step("wait 5 ms", (_, bench) => bench.run(0.005));

/** RAM of the assembled robot after power-on: the model's initial values, except the restored gains. */
function startRam(table: Table): void {
  for (const name of PLAIN) {
    if (REGISTERS[name].area === "ram" && REGISTERS[name].access === "rw") {
      table.values.set(name, registerOf(MODEL, name).initial);
    }
  }
  const startup = valueIn(table, "startupConfiguration");
  if (startup & 2) table.values.set("positionPGain", 300);
  if (startup & 1) table.values.set("torqueEnable", 1);
}

function assembled(): Table {
  const table: Table = { values: new Map(), registered: undefined };
  for (const name of PLAIN) table.values.set(name, registerOf(MODEL, name).initial);
  const settings = {
    returnDelayTime: 0,
    homingOffset: 1024,
    minPositionLimit: 1502,
    maxPositionLimit: 2958,
    shutdown: 52,
    startupConfiguration: 2,
  } as const;
  for (const [name, value] of Object.entries(settings)) table.values.set(name as RegisterName, value);
  startRam(table);
  return table;
}

const anyName = fc.constantFrom(...PLAIN);
/** Values inside the register's range and outside of it. */
const anyWrite = anyName.chain((name) => {
  const { min, max, size, signed } = REGISTERS[name];
  const bits = 2 ** (8 * size - (signed ? 1 : 0));
  const beyond = fc.integer({ min: signed ? -bits : 0, max: bits - 1 });
  const choice = CHOICES[name];
  const inRange = choice === undefined ? fc.integer({ min, max }) : fc.constantFrom(...choice);
  return fc.tuple(fc.constant(name), fc.oneof({ weight: 4, arbitrary: inRange }, beyond));
});
const readable = SETTABLE.concat("modelNumber", "firmwareVersion", "hardwareErrorStatus");
const wide = fc.constantFrom(...SETTABLE.filter((name) => REGISTERS[name].size > 1));

test("the firmware behaves like a map of registers with the manual's rules", () => {
  const commands = fc.commands(
    [
      anyWrite.map(([name, value]) => write(name, value)),
      fc.constantFrom(...readable).map(read),
      anyWrite.map(([name, value]) => regWrite(name, value)),
      fc.constant(action),
      wide.map(writeHalf),
      wide.map(writeInside),
      fc.constantFrom(0, 1).map((on) => write("torqueEnable", on)),
      fc.constant(reboot),
      fc.constant(wait),
    ],
    { size: "+1" },
  );
  fc.assert(
    fc.property(commands, (list) => {
      fc.modelRun(() => ({ model: assembled(), real: new TestBench() }), list);
    }),
  );
});
