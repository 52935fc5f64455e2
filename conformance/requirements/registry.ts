import { TRESPASS_REQUIREMENTS } from "./environment/trespasses.ts";
import { connects } from "./lifecycle/life-001-connects.ts";
import { runsAnywhere } from "./lifecycle/life-002-runs-anywhere.ts";
import { stopsOnSigint } from "./lifecycle/life-003-stops-on-sigint.ts";
import { stopEventEndsRun } from "./lifecycle/life-004-stop-event-ends-run.ts";
import { stopsDuringStartup } from "./lifecycle/life-005-stops-during-startup.ts";
import { noLeftoverProcesses } from "./lifecycle/life-006-no-leftover-processes.ts";
import { exitsAfterRun } from "./lifecycle/life-007-exits-after-run.ts";
import { reportsErrors } from "./lifecycle/life-008-reports-errors.ts";
import { restarts } from "./lifecycle/life-009-restarts.ts";
import { noResourceGrowth } from "./lifecycle/life-010-no-resource-growth.ts";
import { secondSigint } from "./lifecycle/life-011-second-sigint.ts";
import { automaticStart } from "./lifecycle/life-012-automatic-start.ts";
import { noErrorOfItsOwn } from "./lifecycle/life-013-no-error-of-its-own.ts";
import { withinLimits } from "./motion/mot-001-within-limits.ts";
import { smoothTargets } from "./motion/mot-002-smooth-targets.ts";
import { noCommandsAfterExit } from "./motion/mot-003-no-commands-after-exit.ts";
import { returnsToDefault } from "./motion/mot-004-returns-to-default.ts";
import { gentleStart } from "./motion/mot-005-gentle-start.ts";
import { installs } from "./package/pkg-009-installs.ts";
import { importSideEffects } from "./package/pkg-010-import-side-effects.ts";
import { buildsAgain } from "./package/pkg-020-builds-again.ts";
import { pageAnswers } from "./page/ui-001-page-answers.ts";
import { portHandling } from "./page/ui-002-port-handling.ts";
import { pageLoadsCleanly } from "./page/ui-003-page-loads-cleanly.ts";
import { robustRoutes } from "./page/ui-004-robust-routes.ts";
import { servesStatic } from "./page/ui-005-serves-static.ts";
import { reachableFromNetwork } from "./page/ui-006-reachable-from-network.ts";
import type { DynamicRequirement } from "./requirement.ts";
import { daemonLost } from "./resilience/res-001-daemon-lost.ts";
import { slowRobot } from "./resilience/res-002-slow-robot.ts";
import { servoFault } from "./resilience/res-003-servo-fault.ts";
import { resourceBudget } from "./resilience/res-004-resource-budget.ts";
import { diskBudget } from "./resilience/res-005-disk-budget.ts";
import { shortOutage } from "./resilience/res-006-short-outage.ts";
import { survivesRandomUser } from "./resilience/res-007-random-user.ts";

/** All requirements on a running app. Those on its files: assistant/check/requirements.ts. */
export const DYNAMIC: readonly DynamicRequirement[] = [
  installs,
  importSideEffects,
  buildsAgain,
  connects,
  runsAnywhere,
  stopsOnSigint,
  stopEventEndsRun,
  stopsDuringStartup,
  noLeftoverProcesses,
  exitsAfterRun,
  reportsErrors,
  restarts,
  noResourceGrowth,
  secondSigint,
  automaticStart,
  noErrorOfItsOwn,
  withinLimits,
  smoothTargets,
  noCommandsAfterExit,
  returnsToDefault,
  gentleStart,
  pageAnswers,
  portHandling,
  pageLoadsCleanly,
  robustRoutes,
  servesStatic,
  reachableFromNetwork,
  daemonLost,
  slowRobot,
  servoFault,
  resourceBudget,
  diskBudget,
  shortOutage,
  survivesRandomUser,
  ...TRESPASS_REQUIREMENTS,
];
