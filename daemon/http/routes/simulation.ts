import { z } from "zod";
import { durationUpTo } from "../../../robot/wire/quantities.ts";
import { HandAct, parseHandAct, SceneObject } from "../../../robot/wire/scene/hand-act.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import type { Robot, Simulation } from "../../robot-client/robot.ts";
import { Antenna, touchAntenna } from "../../robot-client/touch-antenna.ts";
import { type Route, route } from "../rest/route.ts";

const Ok = z.object({ status: z.literal("ok") });

const HandRequest = HandAct.extend({
  hand: z.string().default("hand").describe("Name of the hand; a new push or pull of a hand replaces its previous one"),
  seconds: durationUpTo(10).default(0.1).describe("Simulated seconds, above 0 and at most 10"),
});

/** Routes for the world around a simulated robot; they exist with `--sim` only. */
export function simulationRoutes(simulation: Simulation, robot: Pick<Robot, "state">): Route[] {
  const okAfter = async (work: Promise<void>) => {
    await work;
    return { status: "ok" };
  };
  return [
    route({
      method: "post",
      path: "/api/simulation/push",
      summary: "Push a body of the simulated world (force), or pull it to a point (towards)",
      tag: "simulation",
      body: HandRequest,
      result: Ok,
      errors: ["bad-request"],
      handle: ({ body: { hand, seconds, ...act } }) => okAfter(simulation.push(hand, parseHandAct(act), seconds)),
    }),
    route({
      method: "post",
      path: "/api/simulation/release/:hand",
      summary: "End the push or pull of a hand",
      tag: "simulation",
      result: Ok,
      errors: [],
      handle: ({ params }) => okAfter(simulation.push(params.hand ?? "", null)),
    }),
    route({
      method: "post",
      path: "/api/simulation/touch/:antenna",
      summary: "Touch an antenna of the simulated robot, right or left, as a hand does",
      tag: "simulation",
      result: Ok,
      errors: ["bad-request"],
      handle: ({ params }) =>
        okAfter(touchAntenna(simulation, robot, parseOrThrow(Antenna, params.antenna, "antenna"))),
    }),
    route({
      method: "post",
      path: "/api/simulation/objects",
      summary: "Put an object beside the robot",
      tag: "simulation",
      body: SceneObject,
      result: Ok,
      errors: ["bad-request"],
      handle: ({ body }) => okAfter(simulation.addObject(body)),
    }),
    route({
      method: "delete",
      path: "/api/simulation/objects/:name",
      summary: "Remove an object",
      tag: "simulation",
      result: Ok,
      errors: ["bad-request"],
      handle: ({ params }) => okAfter(simulation.removeObject(params.name ?? "")),
    }),
    route({
      method: "post",
      path: "/api/simulation/reset",
      summary: "Reset the simulation: the robot asleep where it started, no objects",
      tag: "simulation",
      result: Ok,
      errors: ["robot-not-ready"],
      handle: () => okAfter(simulation.reset()),
    }),
  ];
}
