import { beforeAll, describe, expect, test } from "vitest";
import {
  compareMotor,
  comparePublished,
  ownAngles,
  PUBLISHED,
  publishedAngles,
  rootMeanSquare,
} from "../testing/compare-pendulum.ts";
import { MOTORS, type MotorParameters } from "./motor-parameters.ts";

/*
 * The servo of the legs on the pendulum of a published identification: the simulator's firmware, motor and engine beside
 * the published models, which are simulated by their own equations. Differences are root mean squares in degrees.
 */

const CHOSEN = MOTORS["XL330-M288"];
/** The robot's gain, and a lower one. */
const GAINS = [200, 300];

const average = (differences: Readonly<Record<string, number>>) => {
  const values = Object.values(differences);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
};

describe("with a published model's own parameters", () => {
  const { torqueConstant, resistance, armature, friction, viscosity } = PUBLISHED.models
    .m1 as (typeof PUBLISHED.models)["m1"];
  const published: MotorParameters = {
    ...CHOSEN,
    resistance,
    torqueConstant,
    backEmfConstant: torqueConstant,
    friction,
    staticFriction: friction,
    loadFriction: 0,
    viscosity,
    rotorInertia: armature,
  };

  // At 2 Hz the simulator's step of 2.5 ms delays the firmware, whose own is shorter.
  test.each([
    ["two sines", 1],
    ["lift, then torque off", 1],
    ["slowly up and down", 1],
    ["sine of growing frequency", 3],
  ])("the simulator does what the model does: %s, within %i degrees", async (trajectory, degrees) => {
    const difference = rootMeanSquare(
      await ownAngles(published, trajectory, 300),
      publishedAngles("m1", trajectory, 300),
    );
    expect(difference).toBeLessThan(degrees);
  });
});

describe("with the chosen parameters", () => {
  let chosen = 0;
  const differenceOf = async (change: Partial<MotorParameters>) =>
    average(await compareMotor({ ...CHOSEN, ...change }, GAINS));

  beforeAll(async () => {
    chosen = await differenceOf({});
  });

  test("it is as near to the published models as they are to each other", () => {
    const models = Object.keys(PUBLISHED.models).map((model) => average(comparePublished(model, GAINS)));
    expect(chosen).toBeLessThan(average(Object.fromEntries(models.entries())));
    expect(chosen).toBeLessThan(2.2);
  });

  test("the divisor of the P gain that the manual has is far off", async () => {
    expect(await differenceOf({ positionGainDivisor: 128 })).toBeGreaterThan(3 * chosen);
  });

  test.each<[string, Partial<MotorParameters>]>([
    ["a rotor of half the inertia", { rotorInertia: CHOSEN.rotorInertia / 2 }],
    ["a rotor of twice the inertia", { rotorInertia: 2 * CHOSEN.rotorInertia }],
    ["a quarter of the viscous friction", { viscosity: CHOSEN.viscosity / 4 }],
    ["a tenth of the dry friction", { friction: CHOSEN.friction / 10, staticFriction: CHOSEN.staticFriction / 10 }],
    ["no loss of the loaded gear", { loadFriction: 0 }],
    ["a winding of 2.8 ohms", { resistance: 2.8 }],
    ["a fifth more back-EMF", { backEmfConstant: 1.2 * CHOSEN.backEmfConstant }],
  ])("%s is worse", async (_, change) => {
    expect(await differenceOf(change)).toBeGreaterThan(1.05 * chosen);
  });
});
