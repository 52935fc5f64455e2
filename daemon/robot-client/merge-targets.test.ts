import fc from "fast-check";
import { expect, test } from "vitest";
import { IDENTITY, poseFromRpy } from "../../robot/kinematics/pose.ts";
import type { Target } from "../../robot/wire/robot/target.ts";
import { TargetStore } from "../robot-process/control/loop/target-store.ts";
import { mergeTargets } from "./call-table.ts";

/** A goal to 1e-9 metres and radians: a pose that is parsed twice may differ in its last bits. */
function rounded({ goal }: TargetStore): (number | null)[] {
  const numbers = goal === undefined ? [] : [...goal.head, ...goal.antennas, goal.bodyYaw ?? null];
  return numbers.map((number) => (number === null ? null : Math.round(number * 1e9) / 1e9 + 0));
}

test("a merged target has the same goal as its targets one after another", () => {
  const angle = fc.double({ min: -0.5, max: 0.5, noNaN: true });
  const target = fc.record<Target>({
    head: fc.option(angle.map((pitch) => [...poseFromRpy([0, 0, 0], { roll: 0, pitch, yaw: 0 })])),
    antennas: fc.option(fc.tuple(angle, angle)),
    bodyYaw: fc.option(angle),
  });
  const start = { head: IDENTITY, antennas: [0, 0], bodyYaw: 0 } as const;
  fc.assert(
    fc.property(fc.array(target, { minLength: 1, maxLength: 6 }), (targets) => {
      const [oneByOne, merged] = [new TargetStore(() => {}), new TargetStore(() => {})];
      for (const one of targets) oneByOne.accept(one, start);
      merged.accept(targets.reduce(mergeTargets), start);
      expect(rounded(merged)).toEqual(rounded(oneByOne));
    }),
  );
});
