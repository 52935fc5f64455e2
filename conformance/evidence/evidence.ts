import type { AppUnderTest } from "../runner/app-under-test.ts";
import type { Scene } from "../verdict/verdict.ts";
import type { Run } from "./run.ts";

/** What single scenes find out besides how the app lives and ends. */
export interface Facts {
  install: InstallFacts;
}

/** What came of installing the app in a clean environment and taking it out again. */
export interface InstallFacts {
  /** What the installer refused it with; null when it is in. */
  refusal: string | null;
  /** Files of the source's static/ that did not come along. */
  missing: readonly string[];
  /** What of it is still there after it was uninstalled. */
  remains: readonly string[];
}

/** All that was found out about one app. */
export interface Evidence {
  app: AppUnderTest;
  runs: readonly Run[];
  scenes: readonly Scene[];
  facts: Partial<Facts>;
  /** Scenes that could not be played to their end for reasons that are not the app's, and why. */
  broken: ReadonlyMap<string, string>;
}
