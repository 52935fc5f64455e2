import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { exploreStates, pathTo } from "./explore.ts";
import { findViolation } from "./liveness.ts";
import { readSpec } from "./quint-spec.ts";
import { QuintStates } from "./quint-states.ts";

/** A lamp with a switch and a fuse. */
const lamp = (fair: string, change = "") => `module lamp {
  type Lamp = { light: str, fuse: bool }
  var lamp: Lamp
  action init = lamp' = { light: "off", fuse: true }
  action press = all { lamp.light == "off", lamp.fuse, lamp' = { ...lamp, light: "pressed" } }
  action shine = all { lamp.light == "pressed", lamp' = { ...lamp, light: "on" } }
  action burn = all { lamp.light == "on", lamp' = { light: "off", fuse: false } }
  action flicker = all { lamp.light == "pressed", lamp' = lamp }
  action fair = any { ${fair} }
  action step = any { press, shine, burn, flicker }
  ${change}
  // --- Invariants
  val itShinesWithAFuse = lamp.light == "on" implies lamp.fuse
  temporal itShines = always(lamp.light == "pressed" implies eventually(lamp.light == "on"))
}`;

function check(text: string) {
  const file = join(temporaryFolder("quint-"), "lamp.qnt");
  writeFileSync(file, text);
  const spec = readSpec(file);
  const model = new QuintStates(spec);
  const graph = exploreStates(spec, model);
  const [invariant] = spec.invariants;
  const [rule] = spec.liveness;
  if (!invariant || !rule) throw new Error("no rule");
  const holds = model.compile(invariant.expression);
  const broken = graph.states.findIndex((state) => holds(state) === null);
  const stuck = findViolation(spec, model, graph, rule);
  return {
    states: graph.states.map((state) => model.format(state)),
    broken: broken < 0 ? null : pathTo(spec, graph, broken),
    stuck: stuck === null ? null : pathTo(spec, graph, stuck),
  };
}

test("all states are explored, and rules that hold are confirmed", () => {
  const states = ["fuse true, light off", "fuse true, light pressed", "fuse true, light on", "fuse false, light off"];
  expect(check(lamp("shine"))).toEqual({ states, broken: null, stuck: null });
});

test("a step that is not fair may never happen", () =>
  expect(check(lamp("burn"))).toMatchObject({ broken: null, stuck: ["press"] }));

test("an invariant that does not hold is shown with the steps that lead there", () => {
  const spec = lamp("shine").replace("lamp.fuse, lamp'", "lamp'");
  expect(check(spec)).toMatchObject({ broken: ["press", "shine", "burn", "press", "shine"] });
});

test("what Quint finds wrong is reported with its line", () =>
  expect(() => check(lamp("shine", "val wrong = lamp.light + 1"))).toThrow(/lamp\.qnt:11: /));
