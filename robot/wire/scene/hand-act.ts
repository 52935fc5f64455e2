import { z } from "zod";
import type { Vec3 } from "../../description/frames.ts";
import { WorkbenchError } from "../errors.ts";

const Vector = z.tuple([z.number(), z.number(), z.number()]).readonly();

/** An object next to the simulated robot: mass in kg, position of its centre in the world frame, metres. */
export const SceneObject = z.object({
  name: z.string().min(1).max(60),
  shape: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("ball"), radius: z.number().positive() }),
    z.object({ kind: z.literal("box"), size: Vector.describe("Edges along x, y and z, metres") }),
  ]),
  mass: z.number().positive().describe("kg"),
  position: Vector.describe("Of its centre, world frame, metres"),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'like "#e2603a"')
    .optional()
    .describe("#rrggbb; chosen by the name when absent"),
  fixed: z.boolean().optional().describe("Whether it stays at its position, also in the air; default false"),
});
export type SceneObject = Readonly<z.infer<typeof SceneObject>>;

/** What a hand does, as it is sent; `parseHandAct` makes a `Push` or a `Pull` of it. */
export const HandAct = z.object({
  body: z.string().describe("A part of the robot, for example head or right_antenna, or an object"),
  point: Vector.optional().describe("Where, world frame, metres; the body's centre of mass when absent"),
  force: Vector.optional().describe("Pushes: newtons, world frame"),
  towards: Vector.optional().describe("Pulls: the target position of the point, world frame, metres"),
});

interface Grip {
  readonly body: string;
  readonly point?: Vec3 | undefined;
}

/** A force in N on a body at a point (its centre of mass when absent), both in the world frame, metres. */
export interface Push extends Grip {
  readonly force: Vec3;
}

/**
 * Grips a body at a point (its centre of mass when absent) and moves that point to a place, world frame, metres. The
 * grip lasts while pulls at the same body follow; `point` counts for the first of them only.
 */
export interface Pull extends Grip {
  readonly towards: Vec3;
}

/** @throws WorkbenchError `bad-request` unless exactly one of force and place is given */
export function parseHandAct({ force, towards, ...grip }: z.infer<typeof HandAct>): Push | Pull {
  if (force !== undefined && towards === undefined) return { ...grip, force };
  if (towards !== undefined && force === undefined) return { ...grip, towards };
  throw new WorkbenchError(
    "bad-request",
    'A hand pushes or pulls: send either "force": [x, y, z] in N or "towards": [x, y, z] in m.',
  );
}
