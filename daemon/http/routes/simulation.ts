import { z } from "zod";
import type { Simulation } from "../../control/robot.ts";
import { type Route, route } from "../route.ts";

const Vector = z.tuple([z.number(), z.number(), z.number()]);
const Done = z.object({ status: z.literal("ok") });

const Push = z.object({
  hand: z.string().default("hand").describe("Pushing again with the same hand replaces its push"),
  body: z.string().describe("A part of the robot, for example head or right_antenna, or an object"),
  point: Vector.optional().describe("Where, world frame, metres; the body's centre of mass when absent"),
  force: Vector.describe("Newtons, world frame"),
  seconds: z.number().positive().max(10).default(0.1).describe("Simulated seconds, above 0 and at most 10"),
});

const ObjectBody = z.object({
  name: z.string().min(1),
  shape: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("ball"), radius: z.number().positive().max(0.2) }),
    z.object({ kind: z.literal("box"), size: Vector }),
  ]),
  mass: z.number().positive().max(5).describe("kg"),
  position: Vector.describe("Of its middle, world frame, metres"),
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
      summary: "Push a body of the simulated world",
      tag: "simulation",
      body: Push,
      result: Done,
      errors: ["bad-request"],
      handle: ({ body: { hand, seconds, ...push } }) => done(simulation.push(hand, push, seconds)),
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
      body: ObjectBody,
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
