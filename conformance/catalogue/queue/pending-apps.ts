import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import type { AppResult } from "../run/certify-app.ts";

/** An app whose job has not ended. */
export interface PendingApp {
  app: CatalogueApp;
  /** Of a folder's files; null for a space. */
  digest: string | null;
  /** Of its job. Copies of an app have the same one. */
  id: string;
  priority: number;
}

/** The apps of a run by their jobs, and the results of those whose jobs have ended. */
export class PendingApps {
  readonly results = new Map<CatalogueApp, AppResult>();
  readonly #byJob = new Map<string, PendingApp[]>();
  readonly #onResult: (app: CatalogueApp, result: AppResult) => void;

  constructor(onResult: (app: CatalogueApp, result: AppResult) => void) {
    this.#onResult = onResult;
  }

  get size(): number {
    return this.#byJob.size;
  }

  /** One app of each job. */
  get jobs(): PendingApp[] {
    return [...this.#byJob.values()].flatMap(([first]) => first ?? []);
  }

  add(pending: PendingApp): void {
    this.#byJob.set(pending.id, [...(this.#byJob.get(pending.id) ?? []), pending]);
  }

  has(id: string): boolean {
    return this.#byJob.has(id);
  }

  /** Gives all apps of a job their result. Without effect when they have one. */
  finish(id: string, result: AppResult): void {
    const pending = this.#byJob.get(id) ?? [];
    this.#byJob.delete(id);
    for (const { app } of pending) {
      this.results.set(app, result);
      this.#onResult(app, result);
    }
  }
}
