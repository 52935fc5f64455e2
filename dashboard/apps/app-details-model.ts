import { type ReadonlySignal, signal } from "@preact/signals";
import type { AppDetails } from "../../robot/wire/apps/app-details.ts";
import type { LogLine } from "../../robot/wire/apps/app-events.ts";
import type { AppRun } from "../../robot/wire/apps/app-run.ts";
import type { SettingValue } from "../../robot/wire/apps/app-settings.ts";
import type { Client } from "../connection/client.ts";
import { copyToClipboard } from "../shell/copy-to-clipboard.ts";
import type { Toasts } from "../shell/toasts.ts";
import { issueReport } from "./issue-report.ts";

/** Lines of a run in an issue. */
const ISSUE_LINES = 60;

/** The page of one app: what it is and uses, and its runs. */
export class AppDetailsModel {
  readonly #client: Client;
  readonly #toasts: Pick<Toasts, "report" | "show">;
  readonly #name = signal<string | null>(null);
  readonly #details = signal<AppDetails | null>(null);
  readonly #runs = signal<readonly AppRun[]>([]);
  /** The app whose page is open; null while none is. */
  readonly name: ReadonlySignal<string | null> = this.#name;
  /** Null until they are loaded. */
  readonly details: ReadonlySignal<AppDetails | null> = this.#details;
  /** The newest first. */
  readonly runs: ReadonlySignal<readonly AppRun[]> = this.#runs;

  constructor(client: Client, toasts: Pick<Toasts, "report" | "show">) {
    this.#client = client;
    this.#toasts = toasts;
  }

  async open(name: string): Promise<void> {
    this.#name.value = name;
    this.#details.value = null;
    this.#runs.value = [];
    await this.refresh();
  }

  readonly close = (): void => {
    this.#name.value = null;
  };

  /** Loads what may have changed: a run began or ended. */
  async refresh(): Promise<void> {
    const name = this.#name.peek();
    if (name === null) return;
    await this.#attempt(async () => {
      const [details, { runs }] = await Promise.all([
        this.#client.get<AppDetails>(`/api/apps/details/${encodeURIComponent(name)}`),
        this.#client.get<{ runs: AppRun[] }>(`/api/apps/runs/${encodeURIComponent(name)}`),
      ]);
      if (this.#name.peek() !== name) return;
      this.#details.value = details;
      this.#runs.value = runs;
    });
  }

  readonly resetData = (): Promise<void> =>
    this.#change((name) => this.#client.post<AppDetails>(`/api/apps/reset-data/${name}`));

  readonly setRestart = (restart_after_crash: boolean): Promise<void> =>
    this.#change((name) =>
      this.#client.put<AppDetails>(`/api/apps/restart-after-crash/${name}`, { restart_after_crash }),
    );

  /** Sets some settings of the app; null for the default. A value that is refused is shown as it was. */
  readonly setSettings = async (settings: Readonly<Record<string, SettingValue | null>>): Promise<void> => {
    await this.#change((name) => this.#client.put<AppDetails>(`/api/apps/settings/${name}`, { settings }));
    const details = this.#details.peek();
    if (details !== null) this.#details.value = { ...details };
  };

  /** Copies the last lines of a run as Markdown, for an issue. */
  async copyIssue(run: AppRun, daemonVersion: string | null): Promise<void> {
    const { info } = this.#details.peek() ?? {};
    if (info === undefined) return;
    const { result, cause } = run;
    const version = info.extra.version ?? null;
    const path = `/api/apps/logs/${encodeURIComponent(info.name)}?run=${run.started}&lines=${ISSUE_LINES}`;
    await this.#attempt(async () => {
      const { lines } = await this.#client.get<{ lines: LogLine[] }>(path);
      await copyToClipboard(issueReport({ app: info.name, version, daemonVersion, result, cause, lines }));
      this.#toasts.show("info", "Copied: paste it into an issue.");
    });
  }

  async #change(request: (name: string) => Promise<AppDetails>): Promise<void> {
    const name = this.#name.peek();
    if (name === null) return;
    await this.#attempt(async () => {
      this.#details.value = await request(encodeURIComponent(name));
    });
  }

  #attempt(work: () => Promise<void>): Promise<void> {
    return work().catch(this.#toasts.report);
  }
}
