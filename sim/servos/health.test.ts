import { beforeEach, expect, test } from "vitest";
import { HardwareError } from "../../robot/servo/control-table.ts";
import { MODELS } from "../../robot/servo/models.ts";
import { Health } from "./health.ts";
import { Memory } from "./memory.ts";

const MODEL = MODELS["XL330-M288"];
let health: Health;

beforeEach(() => {
  const memory = new Memory();
  memory.initialise(MODEL, "eeprom");
  health = new Health(MODEL);
  health.configure(memory);
});

/** Lives for so many seconds with a current in A; `volts` at the servo. */
function live(seconds: number, current: number, volts = 6): void {
  for (let t = 0; t < seconds; t += 0.1) health.advance(0.1, current, volts, 0);
}

test("half an ampere warms the case by some 25 K within the half hour; idle, it cools down again", () => {
  live(60, 0.5);
  expect(health.temperature).toBeGreaterThan(28);
  expect(health.temperature).toBeLessThan(32);
  live(1740, 0.5);
  expect(health.temperature).toBeGreaterThan(48);
  expect(health.temperature).toBeLessThan(53);
  live(600, 0);
  expect(health.temperature).toBeGreaterThan(26);
  expect(health.temperature).toBeLessThan(31);
});

test("a load that the motor cannot bear for long overheats it first; cooled down and restarted it is well", () => {
  live(900, 1.1);
  expect(health.errors).toBe(HardwareError.overheating);
  expect(health.hasTripped).toBe(true);
  live(1200, 0);
  expect(health.errors).toBe(HardwareError.overheating);
  health.restart();
  live(1, 0);
  expect(health.errors).toBe(0);
});

test("overload counts without a pause only", () => {
  for (let k = 0; k < 5; k++) {
    live(1.5, -MODEL.stallCurrent);
    live(1.5, 0);
  }
  expect(health.errors).toBe(0);
  live(2.5, -MODEL.stallCurrent);
  expect(health.errors).toBe(HardwareError.overload);
});

test("a voltage that its shutdown mask names turns the torque off for good, below as above", () => {
  live(1, 0, 3.4);
  expect([health.errors, health.hasTripped]).toEqual([HardwareError.inputVoltage, true]);
  health.restart();
  live(1, 0, 7.1);
  expect([health.errors, health.hasTripped]).toEqual([HardwareError.inputVoltage, true]);
  live(1, 0);
  expect(health.errors).toBe(HardwareError.inputVoltage);
});
