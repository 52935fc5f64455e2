import { dialectOf } from "../../runner/app/app-under-test.ts";
import { LINKED_ROBOT, type TestRunPlan } from "../test-run-plan.ts";
import { playAndShrink } from "./generate-rounds.ts";
import { playRounds } from "./play-rounds.ts";

const THOROUGH_SCRIPTS = 5;

/**
 * A random user starts and ends the app while servos and daemon fail. A script that shows a problem is made shorter as
 * long as it shows one; a script that is given is played as it is.
 */
export const randomUser: TestRunPlan = {
  id: "random-user",
  title: "A random user, with faults of servos and daemon",
  setup: LINKED_ROBOT,
  seconds: 16,
  async execute(bed) {
    bed.log.expectsFaults = true;
    const { replay, seed, thoroughness } = bed.options;
    if (replay !== null) {
      const { rounds } = replay;
      bed.facts.randomUser = { rounds, problem: await playRounds(bed, rounds), attempts: 1 };
      return;
    }
    for (let script = 0; script < (thoroughness === "thorough" ? THOROUGH_SCRIPTS : 1); script += 1) {
      const hasOutages = dialectOf(bed.options.app).reconnects;
      const played = await playAndShrink(seed + script, (rounds) => playRounds(bed, rounds), { hasOutages });
      bed.facts.randomUser = played;
      if (played.problem !== null) return;
    }
  },
};
