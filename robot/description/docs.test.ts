import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { legAngles } from "../kinematics/inverse.ts";
import { ERRORS } from "../wire/errors.ts";
import { JOINTS } from "./joints.ts";
import { DEFAULT_POSE, SLEEP_POSE } from "./poses.ts";

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

test("docs/robot.md lists the joints and poses of the description", () => {
  const text = page("robot");
  for (const { name, id, model, range, rawRange, homingOffset, gains } of JOINTS) {
    const angles = range.map((angle) => angle.toFixed(4)).join(" .. ");
    expect(text).toContain(
      `| ${name} | ${id} | ${model} | ${angles} | ${rawRange.join(" .. ")} | ${homingOffset} | ${gains.p} |`,
    );
  }
  for (const { head, antennas } of [DEFAULT_POSE, SLEEP_POSE]) {
    const legs = legAngles(head, 0).map((angle) => angle.toFixed(4));
    expect(text).toContain(`| ${antennas.join(", ")} | ${legs.join(", ")} |`);
  }
});

test("docs/hardware.md names only codes of the error registry", () => {
  const codes = [...page("hardware").matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(3);
  for (const code of codes) expect(Object.keys(ERRORS)).toContain(code);
});
