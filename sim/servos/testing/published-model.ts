/** An identified model of a servo, as `fixtures/servos` has it (units there). What a model does not have is left out. */
export interface PublishedModel {
  readonly torqueConstant: number;
  readonly resistance: number;
  readonly armature: number;
  readonly friction: number;
  readonly viscosity: number;
  readonly stribeckFriction?: number;
  readonly stribeckSpeed?: number;
  readonly stribeckExponent?: number;
  readonly loadFriction?: number;
  readonly loadFrictionStribeck?: number;
  readonly motorLoadFriction?: number;
  readonly externalLoadFriction?: number;
  readonly motorLoadFrictionStribeck?: number;
  readonly externalLoadFrictionStribeck?: number;
  readonly motorLoadFrictionQuadratic?: number;
  readonly externalLoadFrictionQuadratic?: number;
}

/** A pendulum on a servo's shaft: a mass at the end of a uniform arm; kg and metres. */
export interface Pendulum {
  readonly mass: number;
  readonly armMass: number;
  readonly length: number;
}

/** m/s2, as the publication has it. */
export const GRAVITY = 9.80665;

/** kg m2 about the shaft. */
export const pendulumInertia = ({ mass, armMass, length }: Pendulum): number => (mass + armMass / 3) * length ** 2;
/** N m at a level arm. */
export const pendulumWeight = ({ mass, armMass, length }: Pendulum): number => (mass + armMass / 2) * GRAVITY * length;

/** Largest friction torque, N m, at a speed in rad/s, with the torques of motor and load in N m. */
function frictionOf(model: PublishedModel, motor: number, load: number, speed: number): number {
  const { stribeckSpeed = 1, stribeckExponent = 1, stribeckFriction = 0 } = model;
  const slow = Math.exp(-((Math.abs(speed) / stribeckSpeed) ** stribeckExponent));
  const inGear = Math.abs(load - motor);
  const byDirection = (motorShare = 0, loadShare = 0) => Math.abs(load * loadShare - motor * motorShare);
  const opposed = Math.sign(load) !== Math.sign(motor);
  const squared =
    Math.abs(load) < Math.abs(motor)
      ? (model.externalLoadFrictionQuadratic ?? 0) * load ** 2
      : (model.motorLoadFrictionQuadratic ?? 0) * motor ** 2;
  const dry =
    model.friction +
    (model.loadFriction ?? 0) * inGear +
    byDirection(model.motorLoadFriction, model.externalLoadFriction);
  const atLowSpeed =
    stribeckFriction +
    (model.loadFrictionStribeck ?? 0) * inGear +
    byDirection(model.motorLoadFrictionStribeck, model.externalLoadFrictionStribeck) +
    (opposed ? squared : 0);
  return dry + slow * atLowSpeed + model.viscosity * Math.abs(speed);
}

interface Drive {
  /** V of the supply, and the share of it that a radian of error gives. */
  readonly supply: number;
  readonly dutyPerRadian: number;
  /** The goal in radians at a time in seconds; undefined while torque is off. */
  readonly goal: (seconds: number) => number | undefined;
}

/**
 * The angles of the published model's own simulation: a friction torque that stops the joint if it can, and an explicit
 * step. Independent of the simulator: nothing of it is used here.
 *
 * @returns radians, one for each `sample` seconds
 */
export function simulatePublished(
  model: PublishedModel,
  pendulum: Pendulum,
  { supply, dutyPerRadian, goal }: Drive,
  seconds: number,
  sample: number,
): number[] {
  const dt = 5e-4;
  const inertia = pendulumInertia(pendulum) + model.armature;
  const { torqueConstant, resistance } = model;
  const angles: number[] = [];
  let angle = 0;
  let speed = 0;
  for (let step = 0; step < Math.round(seconds / dt); step += 1) {
    if (step % Math.round(sample / dt) === 0) angles.push(angle);
    const wanted = goal(step * dt);
    const duty = wanted === undefined ? 0 : Math.max(-1, Math.min(1, (wanted - angle) * dutyPerRadian));
    const current = wanted === undefined ? 0 : (duty * supply - torqueConstant * speed) / resistance;
    const motor = torqueConstant * current;
    const load = -pendulumWeight(pendulum) * Math.sin(angle);
    const stopping = (inertia / dt) * speed + motor + load;
    const friction = Math.min(Math.abs(stopping), frictionOf(model, motor, load, speed));
    speed += ((motor + load - Math.sign(stopping) * friction) / inertia) * dt;
    angle += speed * dt;
  }
  return angles;
}
