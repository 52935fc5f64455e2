import { startAsStartupApp, startByAntenna } from "./automatic-starts.ts";
import { errorInRun, killed } from "./crashes.ts";
import { runByHand, stopEventAlone } from "./direct-launches.ts";
import { daemonLost, daemonSilent, portTaken, servoFault, slowRobot } from "./faults.ts";
import { firstRun } from "./first-run.ts";
import { longRun } from "./long-run.ts";
import { randomRequests } from "./page/random-requests.ts";
import { randomUser } from "./random-user/random-user.ts";
import { restartCycles } from "./restart-cycles.ts";
import { secondSigint, stopDuringGoto, stopEarly, stopWhileConnecting, stopWhileImporting } from "./stops.ts";
import type { TestRunPlan } from "./test-run-plan.ts";

/** All test runs, in the order of the verdict. */
export const ALL_TEST_RUNS: readonly TestRunPlan[] = [
  firstRun,
  stopWhileImporting,
  stopWhileConnecting,
  stopEarly,
  stopDuringGoto,
  secondSigint,
  stopEventAlone,
  runByHand,
  errorInRun,
  killed,
  restartCycles,
  startAsStartupApp,
  startByAntenna,
  randomRequests,
  portTaken,
  daemonLost,
  daemonSilent,
  servoFault,
  slowRobot,
  randomUser,
  longRun,
];
