import { JOINTS } from "../../robot/description/joints.ts";
import { Startup } from "../../robot/servo/control-table.ts";
import { MODELS } from "../../robot/servo/models.ts";
import type { Actuator } from "./actuator.ts";
import { ServoBus } from "./bus.ts";
import { Servo } from "./servo.ts";

/** `baudRate` of 1 Mbit/s. */
const ONE_MEGABAUD = 3;
/** `shutdown` as the assembled robot has it: overheating, electrical shock, overload; not the voltage. */
const SHUTDOWN = 52;

/**
 * The nine servos as they sit in the assembled robot, with its settings, on their bus.
 *
 * @param actuators one for each of `JOINTS`, in their order
 * @throws RangeError when there are not nine
 */
export function assembleBus(actuators: readonly Actuator[]): ServoBus {
  return new ServoBus(
    JOINTS.map(({ id, model, gains, rawRange, homingOffset }, i) => {
      const actuator = actuators[i];
      if (actuator === undefined) throw new RangeError(`${actuators.length} actuators for ${JOINTS.length} joints`);
      return new Servo({
        model: MODELS[model],
        actuator,
        referenceGain: gains.p,
        hornOffset: homingOffset,
        settings: {
          id,
          baudRate: ONE_MEGABAUD,
          returnDelayTime: 0,
          homingOffset,
          minPositionLimit: rawRange[0],
          maxPositionLimit: rawRange[1],
          shutdown: SHUTDOWN,
          startupConfiguration: Startup.restoreRam,
          positionPGain: gains.p,
          positionIGain: gains.i,
          positionDGain: gains.d,
        },
      });
    }),
  );
}
