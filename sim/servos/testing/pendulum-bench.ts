import RAPIER from "@dimforge/rapier3d-simd-compat";
import { syncWrite, write } from "../../../robot/servo/protocol/instructions.ts";
import { encodeValue, REGISTERS, type RegisterName } from "../../../robot/servo/registers/control-table.ts";
import { MODELS } from "../../../robot/servo/registers/models.ts";
import { radiansToTicks } from "../../../robot/servo/registers/units.ts";
import { JointMotor } from "../../physics/forces/joint-motor.ts";
import { HINGES } from "../../physics/model/linkage.ts";
import type { Parts } from "../../physics/model/parts.ts";
import { TIMESTEP } from "../../physics/world.ts";
import { ServoBus } from "../bus/bus.ts";
import { GearMotor } from "../motor/gear-motor.ts";
import type { MotorParameters } from "../motor/motor-parameters.ts";
import { Servo } from "../servo.ts";
import { GRAVITY, type Pendulum, pendulumInertia, pendulumWeight } from "./published-model.ts";

const ID = 1;
const AXIS = { x: 0, y: 1, z: 0 };

/**
 * One XL330-M288 that swings a pendulum: bus, firmware, motor and physics engine as in the simulated robot, with its time
 * step. At 0 the pendulum hangs down.
 */
export class PendulumBench {
  readonly #world = new RAPIER.World({ x: 0, y: 0, z: -GRAVITY });
  readonly #motor: JointMotor;
  readonly #bus: ServoBus;

  private constructor(parameters: MotorParameters, pendulum: Pendulum, supply: number) {
    this.#world.timestep = TIMESTEP;
    const foot = this.#world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    // A body of 1 kg with the pendulum's weight, and the rest of its inertia about the axis.
    const arm = pendulumWeight(pendulum) / GRAVITY;
    const about = pendulumInertia(pendulum) + parameters.rotorInertia - arm ** 2;
    const head = this.#world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setAdditionalMassProperties(1, { x: 0, y: 0, z: -arm }, { x: about, y: about, z: about }, identity())
        .setCanSleep(false),
    );
    const zero = { x: 0, y: 0, z: 0 };
    const joint = this.#world.createImpulseJoint(RAPIER.JointData.revolute(zero, zero, AXIS), foot, head, true);
    const hinge = { ...HINGES[1], parent: "foot", child: "head", axis: [0, 1, 0] } as (typeof HINGES)[number];
    const gear = new GearMotor(parameters);
    this.#motor = new JointMotor(
      hinge,
      { foot, head } as Parts,
      joint as RAPIER.UnitImpulseJoint,
      gear,
      () => undefined,
    );
    const model = MODELS["XL330-M288"];
    const servo = new Servo({
      model,
      motor: parameters,
      actuator: this.#motor,
      hornOffset: 0,
      settings: { id: ID, baudRate: 3, returnDelayTime: 0, maxVoltageLimit: 70, shutdown: 52 },
    });
    this.#bus = new ServoBus([servo], supply);
  }

  static async create(parameters: MotorParameters, pendulum: Pendulum, supply: number): Promise<PendulumBench> {
    await RAPIER.init();
    return new PendulumBench(parameters, pendulum, supply);
  }

  write(name: RegisterName, value: number): void {
    this.#bus.receive(write(ID, REGISTERS[name].address, encodeValue(REGISTERS[name], value)));
  }

  /**
   * Follows goals, which are sent every 10 ms, from a rest at 0.
   *
   * @param goal radians at a time in seconds; undefined turns torque off
   * @returns radians, one each 10 ms
   */
  follow(goal: (seconds: number) => number | undefined, seconds: number): number[] {
    this.write("torqueEnable", 1);
    let isOn = true;
    return Array.from({ length: Math.round(seconds / 0.01) }, (_, sample) => {
      const angle = this.#motor.position();
      const wanted = goal(sample * 0.01);
      if (wanted === undefined && isOn) this.write("torqueEnable", 0);
      isOn = wanted !== undefined;
      const { address, size } = REGISTERS.goalPosition;
      const data = encodeValue(REGISTERS.goalPosition, radiansToTicks(wanted ?? angle));
      if (isOn) this.#bus.receive(syncWrite(address, size, [{ id: ID, data }]));
      this.#run(0.01);
      return angle;
    });
  }

  free(): void {
    this.#world.free();
  }

  #run(seconds: number): void {
    for (let step = 0; step < Math.round(seconds / TIMESTEP); step += 1) {
      this.#bus.advance(TIMESTEP);
      this.#motor.beforeStep(TIMESTEP);
      this.#world.step();
      this.#motor.afterStep();
    }
  }
}

const identity = () => ({ x: 0, y: 0, z: 0, w: 1 });
