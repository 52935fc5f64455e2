import type { AppUnderTest } from "../runner/app/app-under-test.ts";
import type { RandomUserResult } from "../test-runs/random-user/generate-rounds.ts";
import type { TestRun } from "../verdict/verdict.ts";
import type { AppRun } from "./app-run.ts";

/** Facts that single test runs find out, besides the app runs. */
export interface Facts {
  install: InstallFacts;
  imports: ImportFacts;
  page: PageFacts;
  /** The page over the machine's network address; only in the test run with a wireless robot. */
  networkPage: Pick<PageFacts, "answer" | "availableAfter" | "appEnded">;
  browser: BrowserFacts;
  /** Whether the port of the page was free after the app had ended. */
  portFreed: boolean;
  requests: RequestFacts;
  /** By id of the test run. */
  daemonLosses: Readonly<Record<string, DaemonLossFacts>>;
  shortOutage: ShortOutageFacts;
  faults: FaultFacts;
  randomUser: RandomUserResult;
  cycles: readonly CycleFacts[];
  /** Samples of one long run. */
  usageSamples: readonly UsageSample[];
}

/** Results of uninstalling the app and of building it again; null when that was not needed. */
export interface SecondBuild {
  /** Files that remain after it was uninstalled. */
  remains: readonly string[] | null;
  /** Files of the package in which a second build differs from the installed one. */
  rebuilt: readonly string[] | null;
}

/** Results of installing the app in a clean environment and uninstalling it. */
export interface InstallFacts extends SecondBuild {
  /** The installer's error; null when the app is installed. */
  refusal: string | null;
  /** Number of files of static/ in the source. */
  staticFiles: number;
  /** Those of them that are not installed. */
  missing: readonly string[];
}

/** Errors on the console of a browser that opened the page, or why there was no browser. */
export type BrowserFacts = { consoleErrors: readonly string[] } | { unavailable: string };

/** Side effects of importing the app. */
export interface ImportFacts {
  /** The error of the import; null when it succeeded. */
  error: string | null;
  /** What the app's code did while it was imported, and where: a file (`my_app/main.py`) and a line, from 1. */
  effects: readonly { what: string; file: string; line: number }[];
  /** The app's class as Python sees it; null when it could not be imported. */
  appClass: AppClassFacts | null;
}

export interface AppClassFacts {
  extendsRobotApp: boolean;
  runIsAsync: boolean;
  /** Whether `run` can be called with a robot and a stop event. */
  runAccepts: boolean;
  /** Whether it tells the SDK that it serves the settings page by itself. */
  servesItself: boolean;
  /** The value of `custom_app_url`, null for None; for a value of another type, its `repr`. */
  customAppUrl: string | null;
}

export interface PageFacts {
  /** The last answer to GET /, or why there was none, as text for a message. */
  answer: string;
  /** Seconds from the connection until GET / gave a page; null when it never did. */
  availableAfter: number | null;
  /** Whether the app ended before all of this was requested. */
  appEnded: boolean;
  /** Addresses of its own origin that it refers to and that do not answer with success. */
  brokenReferences: readonly string[];
  /** The files of the package's static/, compared with what the page serves; null without such a folder. */
  staticFiles: StaticFileFacts | null;
}

export interface StaticFileFacts {
  /** Number of files that were compared. */
  compared: number;
  /** Those that are not served, or with other content. */
  different: readonly string[];
  /** Those for which a request got no answer, however often it was repeated. */
  unanswered: readonly string[];
}

/** Results of random requests to the routes of the settings page. */
export interface RequestFacts {
  sent: number;
  /** Requests with an answer of 5xx or none. */
  failed: readonly string[];
  document: OpenApiFacts;
}

/**
 * The OpenAPI document of the settings page when it was last requested: the number of its routes; what was answered by a page
 * that has none; or why it could not be read.
 */
export type OpenApiFacts = { routes: number } | { missing: string } | { unread: string };

export interface DaemonLossFacts {
  /** Share of one processor that the app used while there was no daemon, see `processorShare`; 1 is one full processor. */
  cpu: number;
  /** Whether the app reconnected after the daemon was back. */
  reconnected: boolean;
  /** Whether the app process ended during the outage or right after it. */
  ended: boolean;
}

/** An outage that the SDK bridges. */
interface ShortOutageFacts {
  /** Length of the outage, seconds. */
  seconds: number;
  /** Whether the app reconnected after the daemon was back. */
  reconnected: boolean;
  /** Whether the app ended during it or right after it. */
  ended: boolean;
}

interface FaultFacts {
  /** The faults that the daemon reported, as text for a message. */
  faults: readonly string[];
  /** Whether the app ended during the faults. */
  ended: boolean;
}

/** One of several starts and stops of the app. */
export interface CycleFacts {
  /** Files that the app has left after this stop, those of earlier cycles included. */
  files: number;
  /** Resident memory of the running app with its child processes, bytes; null when it had ended. */
  memoryBytes: number | null;
  /** Open descriptors of the running app; null when it had ended. */
  descriptors: number | null;
}

/** What a running app used at one moment. */
export interface UsageSample {
  /** Seconds from the start of the test run. */
  t: number;
  /** Seconds since the connection in which others had the processors that it waited for: what it loads is loaded later. */
  waited: number;
  /** Resident memory with that of its child processes, bytes. */
  memory: number;
  /** Open descriptors. */
  descriptors: number;
  /** Files in its folders. */
  files: number;
  /** Bytes that these files take. */
  bytes: number;
}

/** Everything that was observed of one app. */
export interface Evidence {
  app: AppUnderTest;
  appRuns: readonly AppRun[];
  testRuns: readonly TestRun[];
  facts: Partial<Facts>;
  /** Ids of the test runs that failed for a reason that is not the app's, and the reasons. */
  harnessFailures: ReadonlyMap<string, string>;
}
