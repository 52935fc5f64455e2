import type { RigidBody } from "@dimforge/rapier3d-simd-compat";
import { DEGREE } from "../../common/degree.ts";
import type { SeededRandom } from "../../common/seeded-random.ts";
import type { Quaternion, Vec3 } from "../../robot/description/frames.ts";
import { conjugate, rotate } from "../../robot/kinematics/quaternion.ts";
import { add, scale, subtract } from "../../robot/kinematics/vector.ts";
import type { InertialReading } from "../../robot/wire/robot/inertial-reading.ts";
import { fromRotation, fromVector } from "../physics/engine-vectors.ts";

/** m/s2, against the weight: what an accelerometer at rest measures. */
const REACTION: Vec3 = [0, 0, 9.81];
/** Seconds of the sensor's own low-pass filter: 80 Hz (chosen among those of the data sheet). */
const FILTER_TIME = 1 / (2 * Math.PI * 80);
/*
 * Data sheet of the BMI088: noise densities of 175 ug/sqrt(Hz) and 0.014 degree/s/sqrt(Hz), here over the filter's noise
 * bandwidth of 126 Hz; offsets of 20 mg and 1 degree/s; temperature in steps of 0.125 K.
 */
const NOISE_BANDWIDTH = 126;
const ACCELERATION_NOISE = 175e-6 * 9.81 * Math.sqrt(NOISE_BANDWIDTH);
const RATE_NOISE = 0.014 * DEGREE * Math.sqrt(NOISE_BANDWIDTH);
const ACCELERATION_OFFSET = 0.02 * 9.81;
const RATE_OFFSET = DEGREE;
const TEMPERATURE_STEP = 0.125;
/** C: a sensor in a closed head at 25 C (chosen). */
const TEMPERATURE = 31;
const TEMPERATURE_NOISE = 0.1;

/**
 * The inertial sensor in the head of the wireless robot: a BMI088 at the head's centre of mass. Its noise has its own source
 * of random numbers, so that reading it changes nothing else. The orientation is the true one, without the drift that a
 * computed one has about the vertical.
 */
export class InertialSensor {
  readonly #head: () => RigidBody;
  readonly #random: SeededRandom;
  readonly #accelerationOffset: Vec3;
  readonly #rateOffset: Vec3;
  #velocity: Vec3 | undefined;
  #acceleration: Vec3 = [0, 0, 0];
  #rate: Vec3 = [0, 0, 0];

  /** @param random returns numbers from 0 to 1 */
  constructor(head: () => RigidBody, random: SeededRandom) {
    this.#head = head;
    this.#random = random;
    const offset = (most: number) => most * (2 * random() - 1);
    this.#accelerationOffset = [offset(ACCELERATION_OFFSET), offset(ACCELERATION_OFFSET), offset(ACCELERATION_OFFSET)];
    this.#rateOffset = [offset(RATE_OFFSET), offset(RATE_OFFSET), offset(RATE_OFFSET)];
  }

  /** Call after each step of `dt` seconds of the world. */
  afterStep(dt: number): void {
    const head = this.#head();
    const velocity = fromVector(head.linvel());
    const share = 1 - Math.exp(-dt / FILTER_TIME);
    const towards = (last: Vec3, now: Vec3) => add(last, scale(subtract(now, last), share));
    const acceleration = scale(subtract(velocity, this.#velocity ?? velocity), 1 / dt);
    this.#acceleration = towards(this.#acceleration, acceleration);
    this.#rate = towards(this.#rate, fromVector(head.angvel()));
    this.#velocity = velocity;
  }

  /** Call when the head was moved from outside. */
  reset(): void {
    this.#velocity = undefined;
    this.#acceleration = [0, 0, 0];
    this.#rate = [0, 0, 0];
  }

  save() {
    return {
      velocity: this.#velocity,
      acceleration: this.#acceleration,
      rate: this.#rate,
      random: this.#random.save(),
    };
  }

  restore({ velocity, acceleration, rate, random }: ReturnType<InertialSensor["save"]>): void {
    this.#velocity = velocity;
    this.#acceleration = acceleration;
    this.#rate = rate;
    this.#random.restore(random);
  }

  read(): InertialReading {
    const rotation = fromRotation(this.#head().rotation());
    const inHead = (vector: Vec3) => rotate(conjugate(rotation), vector);
    const temperature = TEMPERATURE + TEMPERATURE_NOISE * this.#gaussian();
    return {
      accelerometer: this.#withErrors(
        inHead(add(this.#acceleration, REACTION)),
        this.#accelerationOffset,
        ACCELERATION_NOISE,
      ),
      gyroscope: this.#withErrors(inHead(this.#rate), this.#rateOffset, RATE_NOISE),
      quaternion: scalarFirst(rotation),
      temperature: TEMPERATURE_STEP * Math.round(temperature / TEMPERATURE_STEP),
    };
  }

  #withErrors(value: Vec3, offset: Vec3, noise: number): Vec3 {
    return add(add(value, offset), scale([this.#gaussian(), this.#gaussian(), this.#gaussian()], noise));
  }

  /** Mean 0, standard deviation 1 (Box and Muller). */
  #gaussian(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }
}

const scalarFirst = ([x, y, z, w]: Quaternion): [number, number, number, number] => [w, x, y, z];
