import { z } from "zod";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { durationUpTo } from "../../../robot/wire/quantities.ts";
import { HandAct, parseHandAct, SceneObject } from "../../../robot/wire/scene/hand-act.ts";
import { HISTORY_SECONDS, SimulatedTime, SPEEDS, STEPS } from "../../../robot/wire/scene/simulated-time.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import type { RewindTarget, Robot, Simulation } from "../../robot-client/robot.ts";
import { Antenna, touchAntenna } from "../../robot-client/touch-antenna.ts";
import { type Route, routesOf } from "../rest/route.ts";

const { get, post, delete: remove } = routesOf("simulation");

const Ok = z.object({ status: z.literal("ok") });

const HandRequest = HandAct.extend({
  hand: z.string().default("hand").describe("Name of the hand; a new push or pull of a hand replaces its previous one"),
  seconds: durationUpTo(10).default(0.1).describe("Simulated seconds, above 0 and at most 10"),
});

const Rewind = z.object({
  to: z.number().optional().describe("Simulated seconds, as the other routes report them"),
  seconds: durationUpTo(HISTORY_SECONDS).optional().describe("Simulated seconds back from now, above 0 and at most 30"),
});

/** @throws WorkbenchError `bad-request` unless exactly one of them is given */
function rewindTargetOf({ to, seconds }: z.infer<typeof Rewind>): RewindTarget {
  if (to !== undefined && seconds === undefined) return { to };
  if (seconds !== undefined && to === undefined) return { seconds };
  throw new WorkbenchError(
    "bad-request",
    'Send either "seconds": how far back, or "to": a simulated time, in seconds.',
  );
}

/**
 * Routes for the time of a simulated robot.
 * @param onChange gets the time after each change
 */
function timeRoutes(simulation: Simulation, onChange: (time: SimulatedTime) => void): Route[] {
  const changed = async (work: Promise<SimulatedTime>) => {
    const time = await work;
    onChange(time);
    return time;
  };
  const common = { result: SimulatedTime, errors: ["bad-request", "robot-not-ready"] } as const;
  return [
    get("/api/simulation/time", {
      ...common,
      summary: "The simulated robot's time, whether it is paused, and the moments that are kept",
      handle: () => simulation.time(),
    }),
    post("/api/simulation/history", {
      ...common,
      summary: "Keep the last 30 s of the simulated robot from now on, so that it can be rewound, or forget them",
      body: z.object({ kept: z.boolean().default(true).describe("false forgets them") }),
      handle: ({ body }) => changed(simulation.keepHistory(body.kept)),
    }),
    post("/api/simulation/pause", {
      ...common,
      summary: "Let the simulated robot's time stand still; the daemon and the app go on",
      handle: () => changed(simulation.pause()),
    }),
    post("/api/simulation/resume", {
      ...common,
      summary: "Go on from where the simulated robot is, also in slow motion",
      body: z.object({
        speed: z.number().min(SPEEDS.min).max(SPEEDS.max).optional().describe("Factor to real time, 0.1 to 1"),
      }),
      handle: ({ body }) => changed(simulation.resume(body.speed)),
    }),
    post("/api/simulation/step", {
      ...common,
      summary: "Pause, and let the simulated robot's time pass by a step",
      body: z.object({
        seconds: z.number().min(STEPS.min).max(STEPS.max).default(0.01).describe("Simulated seconds, 0.0025 to 1"),
      }),
      handle: ({ body }) => changed(simulation.step(body.seconds)),
    }),
    post("/api/simulation/rewind", {
      ...common,
      summary: "Pause, and take the simulated robot to a moment of the last 30 s that is kept",
      body: Rewind,
      handle: ({ body }) => changed(simulation.rewind(rewindTargetOf(body))),
    }),
  ];
}

/** Routes for the world around a simulated robot; they exist with `--sim` only. */
export function simulationRoutes(
  simulation: Simulation,
  robot: Pick<Robot, "state">,
  onTimeChange: (time: SimulatedTime) => void,
): Route[] {
  const okAfter = async (work: Promise<void>) => {
    await work;
    return { status: "ok" };
  };
  return [
    ...timeRoutes(simulation, onTimeChange),
    post("/api/simulation/push", {
      summary: "Push a body of the simulated world (force), or pull it to a point (towards)",
      body: HandRequest,
      result: Ok,
      errors: ["bad-request"],
      handle: ({ body: { hand, seconds, ...act } }) => okAfter(simulation.push(hand, parseHandAct(act), seconds)),
    }),
    post("/api/simulation/release/:hand", {
      summary: "End the push or pull of a hand",
      result: Ok,
      handle: ({ params }) => okAfter(simulation.push(params.hand ?? "", null)),
    }),
    post("/api/simulation/touch/:antenna", {
      summary: "Touch an antenna of the simulated robot, right or left, as a hand does",
      result: Ok,
      errors: ["bad-request"],
      handle: ({ params }) =>
        okAfter(touchAntenna(simulation, robot, parseOrThrow(Antenna, params.antenna, "antenna"))),
    }),
    post("/api/simulation/objects", {
      summary: "Put an object beside the robot",
      body: SceneObject,
      result: Ok,
      errors: ["bad-request"],
      handle: ({ body }) => okAfter(simulation.addObject(body)),
    }),
    remove("/api/simulation/objects/:name", {
      summary: "Remove an object",
      result: Ok,
      errors: ["bad-request"],
      handle: ({ params }) => okAfter(simulation.removeObject(params.name ?? "")),
    }),
    post("/api/simulation/reset", {
      summary: "Reset the simulation: the robot asleep where it started, no objects",
      result: Ok,
      errors: ["robot-not-ready"],
      handle: () => okAfter(simulation.reset()),
    }),
  ];
}
