import { z } from "zod";
import { durationUpTo } from "../../../robot/wire/quantities.ts";
import { actOf, HandAct, SceneObject } from "../../../robot/wire/scene.ts";
import type { Simulation } from "../../control/robot.ts";
import { type Route, route } from "../route.ts";

const Done = z.object({ status: z.literal("ok") });

const Act = HandAct.extend({
  hand: z.string().default("hand").describe("The same hand again takes the place of what it did before"),
  seconds: durationUpTo(10).default(0.1).describe("Simulated seconds, above 0 and at most 10"),
});

/** The world around a simulated robot; these routes exist with `--sim` only. */
export function simulationRoutes(simulation: Simulation): Route[] {
  const done = async (work: Promise<void>) => {
    await work;
    return { status: "ok" };
  };
  return [
    route({
      method: "post",
      path: "/api/simulation/push",
      summary: "Push a body of the simulated world (force), or pull a point of it somewhere (towards)",
      tag: "simulation",
      body: Act,
      result: Done,
      errors: ["bad-request"],
      handle: ({ body: { hand, seconds, ...act } }) => done(simulation.push(hand, actOf(act), seconds)),
    }),
    route({
      method: "post",
      path: "/api/simulation/release/:hand",
      summary: "Let go with a hand",
      tag: "simulation",
      result: Done,
      errors: [],
      handle: ({ params }) => done(simulation.push(params.hand ?? "", null)),
    }),
    route({
      method: "post",
      path: "/api/simulation/objects",
      summary: "Put an object beside the robot",
      tag: "simulation",
      body: SceneObject,
      result: Done,
      errors: ["bad-request"],
      handle: ({ body }) => done(simulation.addObject(body)),
    }),
    route({
      method: "delete",
      path: "/api/simulation/objects/:name",
      summary: "Take an object away",
      tag: "simulation",
      result: Done,
      errors: ["bad-request"],
      handle: ({ params }) => done(simulation.removeObject(params.name ?? "")),
    }),
    route({
      method: "post",
      path: "/api/simulation/reset",
      summary: "Put the robot back to sleep where it started and take the objects away",
      tag: "simulation",
      result: Done,
      errors: ["robot-not-ready"],
      handle: () => done(simulation.reset()),
    }),
  ];
}
