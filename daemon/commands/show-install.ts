import type { AppInfo } from "../../robot/wire/apps.ts";
import type { JobStage } from "../../robot/wire/jobs.ts";
import { defaultDataDir } from "../options.ts";

const STAGES: Readonly<Record<JobStage, string>> = {
  fetch: "fetch the app's files",
  check: "check that they are a robot app",
  install: "install the package and what it needs",
  verify: "see that all packages fit together",
  record: "write down where it came from",
};

/** The tools' last lines that a failure shows. */
const KEPT_LINES = 30;

/** How an install looks to a person: its stages; of the tools' lines only the last ones, and only when it failed. */
export class InstallView {
  readonly #tell: (text: string) => void;
  #lines: string[] = [];

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  readonly onStage = (stage: JobStage): void => this.#tell(`     ${stage.padEnd(8)}${STAGES[stage]}\n`);

  readonly onProgress = (line: string): void => {
    this.#lines = [...this.#lines, line].slice(-KEPT_LINES);
  };

  /** To be told when the install failed, before its error is. */
  readonly failed = (): void => this.#tell(this.#lines.map((line) => `     | ${line}\n`).join(""));
}

export interface Installed {
  app: AppInfo;
  /** Of the daemon that runs on the data folder; null when none does. */
  url: string | null;
  dataDir: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What to do with an app that has just been installed. */
export function nextSteps({ app: { name, extra }, url, dataDir, env }: Installed): string {
  const what = `\n${[name, extra.version].filter(Boolean).join(" ")} is installed.\n\n`;
  if (url !== null) {
    return `${what}  Start it    in the dashboard, ${url}/\n              curl -X POST ${url}/api/apps/start-app/${name}\n\n`;
  }
  const folder = dataDir === defaultDataDir(env) ? "" : ` --data-dir ${dataDir}`;
  return `${what}  Start it    npx robot-daemon --sim --startup-app ${name}${folder}
              (without --sim for a robot on the USB port)
  Dashboard   http://127.0.0.1:8000/ as soon as the daemon runs\n\n`;
}
