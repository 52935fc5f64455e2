import fc from "fast-check";
import { expect, test } from "vitest";
import type { BodyName } from "../../../robot/description/bodies.ts";
import { BODIES } from "../../../robot/description/bodies.ts";
import { HEAD_AT_ZERO, HEAD_HEIGHT, ROD_LENGTH } from "../../../robot/description/geometry.ts";
import { inverseKinematics } from "../../../robot/kinematics/inverse.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { rotate } from "../../../robot/kinematics/quaternion.ts";
import { add, norm, subtract } from "../../../robot/kinematics/vector.ts";
import { LEG_LINKAGES } from "./linkage.ts";
import { placementsOf, postureOf } from "./posture.ts";

test("with every joint at zero, every part is at its origin", () => {
  const head = poseFromRpy([0, 0, HEAD_AT_ZERO[2] - HEAD_HEIGHT], { roll: 0, pitch: 0, yaw: 0 });
  const placed = placementsOf({ joints: Array(9).fill(0), head });
  for (const { name, origin } of BODIES) {
    expect(norm(subtract(placed[name].position, origin)), name).toBeLessThan(1e-6);
    expect(Math.abs(placed[name].rotation[3]), name).toBeCloseTo(1, 9);
  }
});

test("in any reachable posture the rods end at the platform's ball joints", () => {
  const turn = fc.double({ min: -0.3, max: 0.3, noNaN: true });
  const shift = fc.double({ min: -0.015, max: 0.015, noNaN: true });
  const bodyYaw = fc.double({ min: -2.7, max: 2.7, noNaN: true });
  fc.assert(
    fc.property(
      fc.tuple(shift, shift, shift),
      fc.tuple(turn, turn, turn),
      bodyYaw,
      (place, [roll, pitch, yaw], body) => {
        const head = poseFromRpy(place, { roll, pitch, yaw: yaw + body });
        fc.pre(inverseKinematics(head, body).status === "reachable");
        const placed = placementsOf(postureOf({ head, antennas: [0, 0], bodyYaw: body }));
        for (const { rod, top, ball } of LEG_LINKAGES) {
          const point = (part: BodyName, local: typeof top) =>
            add(placed[part].position, rotate(placed[part].rotation, local));
          expect(norm(subtract(point(rod, top), point("head", ball)))).toBeLessThan(1e-6);
          expect(norm(subtract(point("head", ball), placed[rod].position))).toBeCloseTo(ROD_LENGTH, 6);
        }
      },
    ),
  );
});
