import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { seededRandom } from "../../../common/seeded-random.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { SLEEP_POSE } from "../../../robot/description/poses.ts";
import { FULL_PWM } from "../../../robot/servo/registers/control-table.ts";
import { TICKS_PER_TURN } from "../../../robot/servo/registers/units.ts";
import { parseFault } from "../../../sim/faults/parse-fault.ts";
import {
  frictionScale,
  MOTORS,
  type MotorParameters,
  type MotorsByModel,
} from "../../../sim/servos/motor/motor-parameters.ts";
import { fitServos, type ServoEstimate } from "./fit.ts";
import { Measurement, parseMeasurement } from "./measurement.ts";
import { describeEstimates } from "./report.ts";
import { SimulatedMeasurement } from "./testing/measure-simulation.ts";

/** Seed of the simulated link. */
const SIMULATION_SEED = 1;
/** A motor's parameters, each changed by a share of itself: more or less, as `signs` has it. */
function hidden(motor: MotorParameters, signs: () => number, divisor: number): MotorParameters {
  const changed = (value: number, share: number) => value * (1 + share * signs());
  const constant = changed(motor.torqueConstant, 0.15);
  const friction = changed(motor.friction, 0.25);
  return {
    ...motor,
    resistance: changed(motor.resistance, 0.2),
    torqueConstant: constant,
    backEmfConstant: constant,
    friction,
    staticFriction: 1.3 * friction,
    loadFriction: changed(Math.max(0.1, motor.loadFriction), 0.3),
    viscosity: changed(motor.viscosity, 0.3),
    rotorInertia: changed(motor.rotorInertia, 0.2),
    positionGainDivisor: divisor,
  };
}

/** All parameters as far off as they may be; with the other `side`, each is off to the other side. */
function hiddenSet(seed: number, side: 1 | -1): MotorsByModel {
  const random = seededRandom(seed);
  const signs = () => (random() < 0.5 ? -side : side);
  const entries = Object.entries(MOTORS).map(([name, motor]) => [name, hidden(motor, signs, side > 0 ? 128 : 256)]);
  return Object.fromEntries(entries) as MotorsByModel;
}

function expectAsleep({ link }: SimulatedMeasurement): void {
  expect(link.robot.servos.servos.map(({ controlTable }) => controlTable.get("torqueEnable"))).toEqual(
    JOINTS.map(() => 0),
  );
  link.robot.physics
    .posture()
    .joints.slice(7)
    .forEach((angle, antenna) => {
      expect(Math.abs(angle - (SLEEP_POSE.antennas[antenna] ?? 0))).toBeLessThan(0.3);
    });
}

/** It is a file that gives the same figures, `estimates`, again, and ends asleep. */
function expectComplete(simulated: SimulatedMeasurement, measured: Measurement, estimates: ServoEstimate[]): void {
  expectAsleep(simulated);
  expect(simulated.progress.at(-1)).toBeGreaterThan(0.99);
  expect(measured.time.at(-1)).toBeGreaterThan(100);
  expect(measured.time.at(-1)).toBeLessThan(180);
  const read = parseMeasurement(JSON.stringify(measured), "servos.json");
  expect(fitServos(read)).toEqual(estimates);
  const [, , , leg] = estimates;
  const [divisor, ohms] = [leg?.positionGainDivisor.value ?? 0, leg?.resistance.value ?? 0];
  const row = `stewart_3 +${divisor.toPrecision(3)} ± [\\d.]+ +${ohms.toPrecision(3)} ± `;
  expect(describeEstimates(estimates, read)).toMatch(new RegExp(`^${row}`, "m"));
  expect(simulated.link.robot.physics.recoveries).toBe(0);
}

describe.each([
  ["to one side", 1, 6.5, 0],
  ["to the other side, over a link that loses one packet in fifty", -1, 7.5, 0.02],
] as const)("hidden parameters %s", (_, side, supply, loss) => {
  const motors = hiddenSet(11, side);

  test("each is found within 5 %", async () => {
    const simulated = await SimulatedMeasurement.of(supply, motors);
    const noise = seededRandom(5);
    simulated.link.fromServos = (bytes) => (noise() < loss ? null : bytes);
    const measured = await simulated.run();
    const estimates = fitServos(measured);
    expectComplete(simulated, measured, estimates);
    const random = seededRandom(SIMULATION_SEED);
    for (const [joint, { name, model, gains }] of JOINTS.entries()) {
      const scale = frictionScale(random);
      const { positionGainDivisor, resistance, backEmfConstant, torqueConstant, viscosity, ...rest } = motors[model];
      const found = estimates[joint] as ServoEstimate;
      const within = (what: Exclude<keyof ServoEstimate, "joint" | "model">, expected: number) => {
        const { value, band } = found[what] ?? { value: Number.NaN, band: Number.NaN };
        expect(value / expected, `${what} of ${name}: ${expected}`).toBeGreaterThan(0.95);
        expect(value / expected, `${what} of ${name}: ${expected}`).toBeLessThan(1.05);
        expect(Math.abs(value - expected), `error of ${what} of ${name}, band ${band}`).toBeLessThan(band);
      };
      within("positionGainDivisor", positionGainDivisor);
      within("resistance", resistance);
      within("backEmfConstant", backEmfConstant);
      // Body and antennas lift next to nothing: their torques have no scale of their own, and bands that say so.
      if (model !== "XL330-M288") {
        expect([found.torqueConstant, found.loadFriction, found.viscosity]).toEqual([null, null, null]);
        expect(Math.abs(found.friction.value - scale * rest.friction), name).toBeLessThan(found.friction.band);
        const damping = (torqueConstant * backEmfConstant) / resistance + viscosity;
        expect(Math.abs(found.damping.value - damping), name).toBeLessThan(found.damping.band);
        continue;
      }
      within("torqueConstant", torqueConstant);
      within("friction", scale * rest.friction);
      within("viscosity", viscosity);
      within("inertia", rest.rotorInertia);
      // A tenth of the torque: what counts is the torque that is left of it.
      const { value: loadLoss = Number.NaN, band: lossBand = 0 } = found.loadFriction ?? {};
      expect(Math.abs(loadLoss - rest.loadFriction), name).toBeLessThan(Math.min(0.01, lossBand));
      // What position shows: supply, gain, constant and winding together; viscous friction only as a part of the damping.
      const volts = ((gains.p / positionGainDivisor) * TICKS_PER_TURN * supply) / (2 * Math.PI * FULL_PWM);
      within("stiffness", (volts * torqueConstant) / resistance);
      within("damping", (torqueConstant * backEmfConstant) / resistance + viscosity);
    }
  });
});

describe("a measurement", () => {
  test("that Ctrl-C ends returns the robot to its sleep pose", async () => {
    const simulated = await SimulatedMeasurement.of();
    const run = simulated.run((second) => {
      if (second === 20) simulated.abort.abort(new Error("interrupted"));
    });
    await expect(run).rejects.toThrow("interrupted");
    expectAsleep(simulated);
  });

  test.each([
    ["overheat:servo=stewart_2,kelvin=38", /servo 12 \(stewart_2\) has 6\d °C; allowed: 60 °C.*measure again/],
    ["stuck:servo=body_yaw", /servo 10 \(body_yaw\) has not turned although its goal has moved by \d+ ticks/],
    [
      "silent:servo=stewart_4",
      /Servo 14 \(stewart_4\) stopped answering\. End any other program that uses the robot, check the cable/,
    ],
    ["overload:servo=stewart_1", /servo 11 \(stewart_1\) (reports overload|has drawn .* A for a second)/],
  ])("is stopped by %s, with the servo and the next step", async (fault, message) => {
    const simulated = await SimulatedMeasurement.of();
    const run = simulated.run((second) => {
      if (second === 10) simulated.link.robot.addFault(parseFault(fault));
    });
    await expect(run).rejects.toThrow(message);
    const torques = simulated.link.robot.servos.servos.map(({ controlTable }) => controlTable.get("torqueEnable"));
    expect(torques.filter((on, joint) => on === 1 && joint !== 4)).toEqual([]);
  });
});

describe("a file", () => {
  const numbers = Array.from({ length: 1200 }, (_, sample) => sample);
  const file = (): Measurement => ({
    format: "servo-measurement",
    version: 1,
    time: numbers,
    supply: 7,
    temperature: 30,
    servos: JOINTS.map(({ id, name, model, gains }) => {
      const still = numbers.map(() => 0);
      const samples = { goal: still, position: still, pwm: still, current: still, velocity: still };
      return { id, joint: name, model, firmware: 52, pGain: gains.p, ...samples };
    }),
  });
  const first = (change: object) => ({
    ...file(),
    servos: file().servos.map((one, i) => (i === 0 ? { ...one, ...change } : one)),
  });

  test.each<[string, unknown, RegExp]>([
    ["that ends early", `${JSON.stringify(file()).slice(0, 5000)}`, /it is not JSON, or ends early\. Record it again/],
    ["of another kind", { format: "a song" }, /format/],
    ["of a later version", { ...file(), version: 2 }, /version is 2/],
    ["without a servo", { ...file(), servos: file().servos.slice(1) }, /servos/],
    [
      "with a series that is too short",
      first({ pwm: numbers.slice(0, 1100) }),
      /body_yaw has 1100 samples of pwm instead of 1200/,
    ],
    ["with another joint", first({ joint: "elbow" }), /servo 1 of 9 is "elbow" instead of body_yaw/],
    [
      "whose time goes back",
      { ...file(), time: [...numbers.slice(0, 1199), 5] },
      /time\[1199\] is not after time\[1198\]/,
    ],
    ["with something that is no number", first({ current: numbers.map(() => null) }), /current/],
  ])("%s is refused with the place and the next step", (_, content, message) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    expect(() => parseMeasurement(text, "servos.json")).toThrow(message);
  });

  test("has the documented schema", async () => {
    const path = new URL("../../../docs/schemas/servo-measurement.json", import.meta.url);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(z.toJSONSchema(Measurement));
  });

  test("of a robot that has not moved says so instead of figures", () => {
    const [estimate] = fitServos(file());
    expect(Number.isFinite(estimate?.friction.value)).toBe(false);
    expect(describeEstimates(fitServos(file()), file())).toContain("too little motion");
  });
});
