import { z } from "zod";

/** Seconds that can be rewound. */
export const HISTORY_SECONDS = 30;
/** Factors to real time at which a simulated robot can run. */
export const SPEEDS = { min: 0.1, max: 1 } as const;
/** Simulated seconds of a step: from one of the physics engine. */
export const STEPS = { min: 0.0025, max: 1 } as const;

/** The time of a simulated robot, in simulated seconds. */
export const SimulatedTime = z.object({
  time: z.number().describe("Simulated seconds since the start"),
  paused: z.boolean().describe("Whether the robot's time stands still"),
  speed: z.number().describe("Factor to real time at which the robot's time passes unless it is paused"),
  kept: z
    .object({
      earliest: z.number().describe("Simulated seconds"),
      latest: z.number().describe("Simulated seconds"),
    })
    .nullable()
    .describe("The moments to which the robot can be rewound; null while none are kept"),
});
export type SimulatedTime = z.infer<typeof SimulatedTime>;
