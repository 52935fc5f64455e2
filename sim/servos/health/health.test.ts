import { beforeEach, expect, test } from "vitest";
import { HardwareError } from "../../../robot/servo/registers/control-table.ts";
import { MODELS } from "../../../robot/servo/registers/models.ts";
import { ControlTable } from "../control-table.ts";
import { MOTORS } from "../motor/motor-parameters.ts";
import { NO_FAULT } from "./fault-state.ts";
import { Health } from "./health.ts";

const MODEL = MODELS["XL330-M288"];
let health: Health;

beforeEach(() => {
  const memory = new ControlTable();
  memory.initialise(MODEL, "eeprom");
  health = new Health(MODEL, MOTORS[MODEL.name].resistance);
  health.configure(memory);
});

/** Runs for some seconds with a current in A; `volts` at the servo. */
function run(seconds: number, current: number, volts = 6): void {
  for (let t = 0; t < seconds; t += 0.1) health.advance(0.1, current, volts, NO_FAULT);
}

test("0.5 A warms the case by about 25 K in 30 minutes; without current it cools down", () => {
  run(60, 0.5);
  expect(health.temperature).toBeGreaterThan(28);
  expect(health.temperature).toBeLessThan(32);
  run(1740, 0.5);
  expect(health.temperature).toBeGreaterThan(48);
  expect(health.temperature).toBeLessThan(53);
  run(600, 0);
  expect(health.temperature).toBeGreaterThan(26);
  expect(health.temperature).toBeLessThan(31);
});

test("a long heavy load overheats the motor; the error stays after cooling down until a restart", () => {
  run(900, 1.1);
  expect(health.errors).toBe(HardwareError.overheating);
  expect(health.hasTripped).toBe(true);
  run(1200, 0);
  expect(health.errors).toBe(HardwareError.overheating);
  health.restart();
  run(1, 0);
  expect(health.errors).toBe(0);
});

test("only uninterrupted overload is reported", () => {
  for (let k = 0; k < 5; k++) {
    run(1.5, -MODEL.stallCurrent);
    run(1.5, 0);
  }
  expect(health.errors).toBe(0);
  run(2.5, -MODEL.stallCurrent);
  expect(health.errors).toBe(HardwareError.overload);
});

test("with the voltage in the shutdown mask, too low and too high voltages switch torque off until a restart", () => {
  run(1, 0, 3.4);
  expect([health.errors, health.hasTripped]).toEqual([HardwareError.inputVoltage, true]);
  health.restart();
  run(1, 0, 7.1);
  expect([health.errors, health.hasTripped]).toEqual([HardwareError.inputVoltage, true]);
  run(1, 0);
  expect(health.errors).toBe(HardwareError.inputVoltage);
});
