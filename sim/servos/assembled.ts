import { JOINTS } from "../../robot/description/joints.ts";
import { Startup } from "../../robot/servo/control-table.ts";
import { MODELS } from "../../robot/servo/models.ts";
import { servoSettings } from "../../robot/servo/settings.ts";
import type { Actuator } from "./actuator.ts";
import { ServoBus } from "./bus.ts";
import { Servo } from "./servo.ts";

/**
 * The nine servos as they sit in the assembled robot, with its settings, on their bus.
 *
 * @param actuators one for each of `JOINTS`, in their order
 * @throws RangeError when there are not nine
 */
export function assembleBus(actuators: readonly Actuator[]): ServoBus {
  return new ServoBus(
    JOINTS.map((joint, i) => {
      const { model, gains, homingOffset } = joint;
      const actuator = actuators[i];
      if (actuator === undefined) throw new RangeError(`${actuators.length} actuators for ${JOINTS.length} joints`);
      return new Servo({
        model: MODELS[model],
        actuator,
        referenceGain: gains.p,
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
  );
}
