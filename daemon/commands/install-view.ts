import { shellQuote } from "../../common/machine/own-command.ts";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { installedText } from "../../robot/wire/apps/install-text.ts";
import type { JobStage } from "../../robot/wire/apps/jobs.ts";
import { defaultDataDir } from "../command-line/options.ts";

const STAGES: Readonly<Record<JobStage, string>> = {
  fetch: "copy or download the app's files",
  check: "check that they are a robot app",
  install: "install the package and its dependencies",
  verify: "check that all packages fit together",
  record: "write down where the app came from",
};

/** Lines of the tools' output that a failure shows. */
const LINES_ON_FAILURE = 30;

/** Shows the stages of an install to a person, and the last lines that the tools printed when it fails. */
export class InstallView {
  readonly #report: (text: string) => void;
  #lines: string[] = [];

  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  readonly onStage = (stage: JobStage): void => this.#report(`     ${stage.padEnd(8)}${STAGES[stage]}\n`);

  readonly onProgress = (line: string): void => {
    this.#lines = [...this.#lines, line].slice(-LINES_ON_FAILURE);
  };

  /** To be called when the install failed, before its error is shown. */
  readonly showLastLines = (): void => this.#report(this.#lines.map((line) => `     | ${line}\n`).join(""));
}

interface InstallResult {
  app: AppInfo;
  /** Address of the daemon that runs on the data folder; null when none does. */
  url: string | null;
  dataDir: string;
  env: Readonly<Record<string, string | undefined>>;
  /** How a person runs robot-daemon. */
  command: string;
}

/** What a person can do with an app that was just installed. */
export function nextSteps({ app: { name, extra }, url, dataDir, env, command }: InstallResult): string {
  const figures = extra.installed === undefined ? "" : ` (${installedText(extra.installed)})`;
  const where = extra.isolated === true ? " in an environment of its own" : "";
  const installed = `\n${[name, extra.version].filter(Boolean).join(" ")} is installed${where}${figures}.\n\n`;
  const folder = dataDir === defaultDataDir(env) ? "" : ` --data-dir ${shellQuote(dataDir)}`;
  if (url !== null)
    return `${installed}  Start it    ${command} start ${name}${folder}\n              or on the dashboard, ${url}/\n\n`;
  return `${installed}  Start it    ${command} --sim --startup-app ${name}${folder}
              (without --sim for a robot on the USB port)
  Dashboard   http://127.0.0.1:8000/ while the daemon runs\n\n`;
}
