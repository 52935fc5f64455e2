import type { Rule } from "./requirement.ts";
import { landingPage } from "./rules/pkg-001-landing-page.ts";
import { pyproject } from "./rules/pkg-002-pyproject.ts";
import { entryPoint } from "./rules/pkg-003-entry-point.ts";
import { tag } from "./rules/pkg-004-tag.ts";
import { pythonPackage } from "./rules/pkg-005-package.ts";
import { appClass } from "./rules/pkg-006-app-class.ts";
import { mainBlock } from "./rules/pkg-007-main-block.ts";
import { customAppUrl } from "./rules/pkg-008-custom-app-url.ts";
import { secrets } from "./rules/pkg-011-secrets.ts";
import { shippedPage } from "./rules/pkg-012-shipped-page.ts";
import { webExtra } from "./rules/pkg-013-web-extra.ts";
import { declaredImports } from "./rules/pkg-014-declared-imports.ts";
import { looksAtStopEvent } from "./rules/pkg-015-looks-at-stop-event.ts";
import { loopsPause } from "./rules/pkg-016-loops-pause.ts";
import { declaredSettings } from "./rules/pkg-017-declared-settings.ts";

/** The requirements that are checked without running the app. The missing numbers need the app to run. */
export const REQUIREMENTS: readonly Rule[] = [
  landingPage,
  pyproject,
  entryPoint,
  tag,
  pythonPackage,
  appClass,
  mainBlock,
  customAppUrl,
  secrets,
  shippedPage,
  webExtra,
  declaredImports,
  looksAtStopEvent,
  loopsPause,
  declaredSettings,
];
