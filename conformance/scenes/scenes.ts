import { daemonGone, portTaken, servoFault, slowAndLate } from "./adversity.ts";
import { cycles } from "./cycles.ts";
import { errorInRun, killed } from "./failures.ts";
import { firstRun } from "./first-run.ts";
import { settingsRequests } from "./page/settings-requests.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { startByAntenna, startByStartup } from "./starts.ts";
import { secondSigint, stopEarly, stopInMidGoto, stopWhileConnecting, stopWhileImporting } from "./stops.ts";
import { fromElsewhere, stopEventAlone } from "./without-daemon.ts";

/** All ways in which an app is run, in the order in which they are played. */
export const SCENES: readonly ScenePlan[] = [
  firstRun,
  stopWhileImporting,
  stopWhileConnecting,
  stopEarly,
  stopInMidGoto,
  secondSigint,
  stopEventAlone,
  fromElsewhere,
  errorInRun,
  killed,
  cycles,
  startByStartup,
  startByAntenna,
  settingsRequests,
  portTaken,
  daemonGone,
  servoFault,
  slowAndLate,
];
