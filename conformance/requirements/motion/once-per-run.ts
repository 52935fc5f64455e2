import type { AppRun } from "../../evidence/app-run.ts";

/** Remembers what a function returns for a run of an app, which does not change after its test run has ended. */
export function oncePerRun<T extends object>(compute: (run: AppRun) => T): (run: AppRun) => T {
  const known = new WeakMap<AppRun, T>();
  return (run) => {
    const result = known.get(run) ?? compute(run);
    known.set(run, result);
    return result;
  };
}
