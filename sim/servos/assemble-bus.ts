import { JOINTS } from "../../robot/description/joints.ts";
import { Startup } from "../../robot/servo/registers/control-table.ts";
import { MODELS } from "../../robot/servo/registers/models.ts";
import { servoSettings } from "../../robot/servo/registers/servo-settings.ts";
import { ServoBus } from "./bus/bus.ts";
import type { Actuator } from "./motor/actuator.ts";
import { MOTORS } from "./motor/motor-parameters.ts";
import { Servo } from "./servo.ts";

/**
 * Creates the bus of the assembled robot: nine servos with the robot's settings.
 *
 * @param actuators one for each of `JOINTS`, in their order
 * @param supply V
 * @param motors what the servos of each model have
 * @throws RangeError when there are fewer than nine
 */
export function assembleBus(actuators: readonly Actuator[], supply: number, motors = MOTORS): ServoBus {
  return new ServoBus(
    JOINTS.map((joint, i) => {
      const { model, gains, homingOffset } = joint;
      const actuator = actuators[i];
      if (actuator === undefined) throw new RangeError(`${actuators.length} actuators for ${JOINTS.length} joints`);
      return new Servo({
        model: MODELS[model],
        motor: motors[model],
        actuator,
        hornOffset: homingOffset,
        settings: {
          ...servoSettings(joint),
          startupConfiguration: Startup.restoreRam,
          positionPGain: gains.p,
          positionIGain: gains.i,
          positionDGain: gains.d,
        },
      });
    }),
    supply,
  );
}
