import { connects } from "./life-001-connects.ts";
import { anywhere } from "./life-002-anywhere.ts";
import { stops } from "./life-003-stops.ts";
import { stopEventAlone } from "./life-004-stop-event.ts";
import { earlyStop } from "./life-005-early-stop.ts";
import { noDescendants } from "./life-006-no-descendants.ts";
import { returnEnds } from "./life-007-return-ends.ts";
import { errorShows } from "./life-008-error-shows.ts";
import { startsAgain } from "./life-009-starts-again.ts";
import { noGrowth } from "./life-010-no-growth.ts";
import { secondSigint } from "./life-011-second-sigint.ts";
import { anyStart } from "./life-012-any-start.ts";
import { withinLimits } from "./mot-001-within-limits.ts";
import { smooth } from "./mot-002-smooth.ts";
import { silentAfterExit } from "./mot-003-silent-after-exit.ts";
import { endsAtDefault } from "./mot-004-ends-at-default.ts";
import { beginsGently } from "./mot-005-begins-gently.ts";
import { installs } from "./pkg-009-installs.ts";
import { importsQuietly } from "./pkg-010-imports-quietly.ts";
import type { DynamicRequirement } from "./requirement.ts";
import { daemonGone } from "./res-001-daemon-gone.ts";
import { slowAndLate } from "./res-002-slow-and-late.ts";
import { servoFault } from "./res-003-servo-fault.ts";
import { budget } from "./res-004-budget.ts";
import { page } from "./ui-001-page.ts";
import { port } from "./ui-002-port.ts";
import { references } from "./ui-003-references.ts";
import { robustRoutes } from "./ui-004-robust-routes.ts";

/** All that is asked of a running app. What is asked of its files: assistant/check/requirements.ts. */
export const DYNAMIC: readonly DynamicRequirement[] = [
  installs,
  importsQuietly,
  connects,
  anywhere,
  stops,
  stopEventAlone,
  earlyStop,
  noDescendants,
  returnEnds,
  errorShows,
  startsAgain,
  noGrowth,
  secondSigint,
  anyStart,
  withinLimits,
  smooth,
  silentAfterExit,
  endsAtDefault,
  beginsGently,
  page,
  port,
  references,
  robustRoutes,
  daemonGone,
  slowAndLate,
  servoFault,
  budget,
];
