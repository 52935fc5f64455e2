import type { Clock } from "../../../common/time/clock.ts";
import { sameName } from "../../../robot/wire/apps/app-search.ts";
import type { AppReader } from "../app-reader.ts";
import type { InstalledApps } from "../catalogue/installed-apps.ts";
import type { OriginRecords } from "../catalogue/origin-records.ts";
import type { JobRun } from "./jobs/jobs.ts";
import type { InstallerParts } from "./tools/installer.ts";
import type { ToolRun } from "./tools/run-tool.ts";

export interface InstallParts extends InstallerParts {
  installed: InstalledApps;
  origins: OriginRecords;
  /** Everything that is fetched and built on the way is written in here, and removed afterwards. */
  stagingDir: string;
  /** Folder of the Python package robot-sdk, to repair it; without it, the next start of a daemon does so. */
  sdkPath?: string | undefined;
  /** Without it, no app is refused for its code. */
  reader?: Pick<AppReader, "appClassMissing"> | undefined;
  clock: Clock;
  /**
   * Keeps these apps from being started.
   * @returns releases them
   * @throws WorkbenchError `app-already-running`
   */
  lockApps(names: readonly string[]): () => void;
  /**
   * Runs a change of the environment while no app starts.
   * @param what names it, for people
   * @param run gets the name of an app that has to start first
   * @throws WorkbenchError `app-busy` when that takes longer than a minute
   */
  duringChange<T>(what: string, run: Pick<JobRun, "signal" | "log">, change: () => Promise<T>): Promise<T>;
}

/** The names of all installed apps of a distribution, which are installed, updated and removed together. */
export async function namesInDistribution(distribution: string, installed: InstalledApps): Promise<string[]> {
  const apps = await installed.list();
  return apps.flatMap(({ info }) => (sameName(String(info.extra.distribution), distribution) ? [info.name] : []));
}

/** Where the tools' part of an install begins and how long it is, in percent. */
const TOOLS_FROM = 20;
const TOOLS_SPAN = 70;

/** What pip and uv print at points of their work, and how far they are then, in percent. */
const MILESTONES: readonly [RegExp, number][] = [
  [/^(Processing|Using Python)/, 5],
  [/^\s*(Collecting|Requirement already|Resolved)/, 20],
  [/^\s*(Downloading|Using cached|Prepared)/, 40],
  [/^\s*Building/, 50],
  [/^\s*(Created wheel|Built|Successfully built)/, 70],
  [/^\s*(Installing collected|Found existing|Uninstalled)/, 80],
  [/^\s*(Successfully (un)?installed|Installed)/, 100],
];

/** Reports the lines and the progress of a tool to its job. */
export function toolRun(run: JobRun, clock: Clock): ToolRun {
  const onLine = (line: string) => run.log(line, TOOLS_FROM + (progressOf(line) / 100) * TOOLS_SPAN);
  return { clock, signal: run.signal, onLine };
}

/** How far a tool is when it prints this line, in percent; 0 when the line says nothing about it. */
function progressOf(line: string): number {
  return MILESTONES.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
}
