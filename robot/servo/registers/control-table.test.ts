import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeValue, encodeValue, hardwareErrors, REGISTER_NAMES, REGISTERS, TABLE_SIZE } from "./control-table.ts";
import { MODELS, modelByNumber, registerOf } from "./models.ts";
import * as units from "./units.ts";

test("registers do not overlap and fit into the table", () => {
  const owner = new Map<number, string>();
  for (const name of REGISTER_NAMES) {
    const { address, size } = REGISTERS[name];
    for (let byte = address; byte < address + size; byte++) {
      expect(owner.get(byte), `byte ${byte}`).toBeUndefined();
      owner.set(byte, name);
    }
  }
  expect(Math.max(...owner.keys())).toBe(TABLE_SIZE - 1);
});

test("the addresses that the servo bus uses most", () => {
  expect(REGISTERS.torqueEnable).toMatchObject({ address: 64, size: 1, area: "ram", access: "rw" });
  expect(REGISTERS.homingOffset).toMatchObject({ address: 20, size: 4, area: "eeprom", signed: true });
  expect(REGISTERS.goalPosition).toMatchObject({ address: 116, size: 4, signed: true });
  expect(REGISTERS.presentPosition).toMatchObject({ address: 132, size: 4, access: "r" });
  expect(REGISTERS.shutdown).toMatchObject({ address: 63, size: 1, area: "eeprom" });
});

test("every value in a register's range is decoded as it was encoded", () => {
  const registerAndValue = fc
    .constantFrom(...REGISTER_NAMES)
    .chain((name) => fc.tuple(fc.constant(name), fc.integer({ min: REGISTERS[name].min, max: REGISTERS[name].max })));
  fc.assert(
    fc.property(registerAndValue, ([name, value]) => {
      const register = REGISTERS[name];
      const padded = Uint8Array.of(7, ...encodeValue(register, value));
      expect(decodeValue(register, padded, 1)).toBe(value);
    }),
  );
  expect(() => decodeValue(REGISTERS.presentPosition, new Uint8Array(3))).toThrow(RangeError);
});

test("hardware errors have names", () => {
  expect(hardwareErrors(0)).toEqual([]);
  expect(hardwareErrors(0x35)).toEqual(["inputVoltage", "overheating", "electricalShock", "overload"]);
});

test("models are found by the model number of a ping", () => {
  expect(modelByNumber(1240)?.name).toBe("XC330-M288");
  expect(modelByNumber(1060)).toBeUndefined();
  expect(registerOf(MODELS["XC330-M288"], "currentLimit")).toMatchObject({ initial: 2352, max: 2352 });
  expect(registerOf(MODELS["XL330-M288"], "positionPGain").initial).toBe(400);
});

test("ticks convert to radians and back", () => {
  expect(units.ticksToRadians(2048)).toBe(0);
  expect(units.ticksToRadians(0)).toBe(-Math.PI);
  expect(units.ticksToRadians(1502)).toBeCloseTo(-0.8378, 3);
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), (ticks) => {
      expect(units.radiansToTicks(units.ticksToRadians(ticks))).toBe(ticks);
    }),
  );
});

test("speed, acceleration, current and voltage convert to register units and back", () => {
  expect(units.unitsToRadiansPerSecond(100)).toBeCloseTo((22.9 * 2 * Math.PI) / 60);
  expect(units.radiansPerSecondToUnits(units.unitsToRadiansPerSecond(-321))).toBe(-321);
  expect(units.unitsToRadiansPerSecond2(1)).toBeCloseTo((214.577 * 2 * Math.PI) / 3600);
  expect(units.amperesToUnits(-1.25)).toBe(-1250);
  expect(units.unitsToAmperes(80)).toBeCloseTo(0.08);
  expect(units.voltsToUnits(5.04)).toBe(50);
  expect(units.unitsToVolts(50)).toBeCloseTo(5);
});
