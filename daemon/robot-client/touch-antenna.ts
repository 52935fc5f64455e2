import { z } from "zod";
import type { Robot, Simulation } from "./robot.ts";

export const Antenna = z.enum(["right", "left"]);

/** Newtons of a touch: the daemon notices 1.2 N at an antenna that its motor holds, and one without torque gives way. */
const TOUCH_FORCE = { held: 1.5, free: 0.4 };
const TOUCH_S = 0.25;

/**
 * Touches an antenna of a simulated robot as a hand does, for a quarter of a simulated second.
 * @throws WorkbenchError `robot-not-ready` when the simulation has ended
 */
export function touchAntenna(
  simulation: Pick<Simulation, "push">,
  robot: Pick<Robot, "state">,
  antenna: z.infer<typeof Antenna>,
): Promise<void> {
  const newtons = TOUCH_FORCE[robot.state.motorMode === "enabled" ? "held" : "free"];
  return simulation.push("touch", { body: `${antenna}_antenna`, force: [newtons, 0, 0] }, TOUCH_S);
}
