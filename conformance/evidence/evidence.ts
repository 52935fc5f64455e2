import type { AppUnderTest } from "../runner/app-under-test.ts";
import type { Scene } from "../verdict/verdict.ts";
import type { Run } from "./run.ts";

/** What single scenes find out besides how the app lives and ends. */
export interface Facts {
  install: InstallFacts;
  imports: ImportFacts;
  page: PageFacts;
  /** Errors on the console of a browser that shows the page; null without a browser. */
  console: readonly string[] | null;
  /** Whether the port of the page was free after the app had ended. */
  portFreed: boolean;
  requests: RequestFacts;
  drop: DropFacts;
  fault: FaultFacts;
  cycles: readonly CycleFacts[];
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

/** What the app did while it was imported, and only imported. */
export interface ImportFacts {
  /** The error that it ended with; null when it could be imported. */
  error: string | null;
  effects: readonly { what: string; file: string; line: number }[];
}

export interface PageFacts {
  /** What GET / was answered with at last. */
  answer: string;
  /** Seconds from the connection until it was answered with a page; null when it never was. */
  took: number | null;
  /** Addresses of its own that it names and that do not answer with success. */
  broken: readonly string[];
}

/** What random requests to the routes of the settings page came to. */
export interface RequestFacts {
  sent: number;
  /** Those that were answered with 5xx or not at all. */
  failed: readonly string[];
}

export interface DropFacts {
  /** Whether it fell silent instead of breaking its connections. */
  silent: boolean;
  /** Share of a processor that the app took while there was no daemon. */
  cpu: number;
  reconnected: boolean;
  ended: boolean;
}

export interface FaultFacts {
  fault: string;
  /** Whether the app ended while it lasted. */
  ended: boolean;
}

/** One of many runs: bytes and descriptors of the running app (null when it was gone), files that it has left so far. */
export interface CycleFacts {
  files: number;
  memory: number | null;
  descriptors: number | null;
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
